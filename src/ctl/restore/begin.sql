-- What has to be is made here; months, too.

CREATE SCHEMA prompt_restore_check;
SET LOCAL search_path = prompt_restore_check
