/* The release that this is. */

#ifndef PROMPT_BASE_VERSION_H
#define PROMPT_BASE_VERSION_H

#ifndef PROMPT_VERSION
#define PROMPT_VERSION  "0.1.0"
#endif

#endif /* PROMPT_BASE_VERSION_H */
