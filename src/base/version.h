/* The release that this is: what VERSION says, t/version.t compares. */

#ifndef PROMPT_BASE_VERSION_H
#define PROMPT_BASE_VERSION_H

#define PROMPT_VERSION  "1.0.0"

#endif /* PROMPT_BASE_VERSION_H */
