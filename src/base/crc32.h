/*
 * CRC-32, as gzip, PNG and zlib's crc32() have it (reflected 0xEDB88320).
 */

#ifndef PROMPT_BASE_CRC32_H
#define PROMPT_BASE_CRC32_H

#include "base/str.h"


uint32_t prompt_crc32(prompt_str_t bytes);

#endif /* PROMPT_BASE_CRC32_H */
