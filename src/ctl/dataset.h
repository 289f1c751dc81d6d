/*
 * Datasets, for other commands.
 */

#ifndef CTL_DATASET_H
#define CTL_DATASET_H

#include "ctl/api.h"


/* The id of the dataset of that name; NULL: the project has none. */
const char *ctl_dataset_find(ctl_api_t *api, const char *name);

#endif /* CTL_DATASET_H */
