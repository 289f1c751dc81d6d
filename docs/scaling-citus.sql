-- The tables on Citus: which are divided, by what, and with which keys.
--
-- promptctl does not run this.  Before it can be of use, statements of this
-- version have to change that Citus refuses: shards.md lists them.
-- It is for the owner of the tables, on the coordinator, while no module runs.
--
-- What belongs to an owner is in one shard: owner_id (in some tables user_id)
-- is the column by which rows are divided, and stands in each of their keys.
-- Idempotency keys are of one user, and go with the user's own prompts.

-- Triggers look into tables that are elsewhere.
DROP TRIGGER executions_came ON executions;
DROP TRIGGER executions_go ON executions;
DROP TRIGGER users_left ON users;

-- A table that is divided is not referred to by one that is not yet.
ALTER TABLE executions
    DROP CONSTRAINT executions_prompt_id_version_fkey;
ALTER TABLE prompt_labels
    DROP CONSTRAINT prompt_labels_prompt_id_version_fkey,
    DROP CONSTRAINT prompt_labels_owner_id_prompt_id_fkey;
ALTER TABLE prompt_label_moves
    DROP CONSTRAINT prompt_label_moves_owner_id_prompt_id_fkey;
ALTER TABLE prompt_versions
    DROP CONSTRAINT prompt_versions_owner_id_prompt_id_fkey;

-- Keys.  The owner comes behind the id, so that what is known by its id alone
-- is still found by it, in each shard.  Elsewhere the keys are shorter:
-- statements name them in ON CONFLICT, and PostgreSQL knows that there is one
-- row of an id.
ALTER TABLE prompts
    DROP CONSTRAINT prompts_pkey,
    ADD CONSTRAINT prompts_pkey PRIMARY KEY (id, owner_id);
ALTER TABLE prompt_versions
    DROP CONSTRAINT prompt_versions_pkey,
    DROP CONSTRAINT prompt_versions_prompt_id_version_key,
    ADD CONSTRAINT prompt_versions_pkey PRIMARY KEY (id, owner_id),
    ADD CONSTRAINT prompt_versions_prompt_id_version_key
        UNIQUE (prompt_id, owner_id, version);
ALTER TABLE prompt_labels
    DROP CONSTRAINT prompt_labels_pkey,
    ADD CONSTRAINT prompt_labels_pkey
        PRIMARY KEY (prompt_id, owner_id, label);
ALTER TABLE prompt_label_moves
    DROP CONSTRAINT prompt_label_moves_id_key,
    DROP CONSTRAINT prompt_label_moves_pkey,
    ADD CONSTRAINT prompt_label_moves_id_key UNIQUE (id, owner_id),
    ADD CONSTRAINT prompt_label_moves_pkey
        PRIMARY KEY (prompt_id, owner_id, number);
ALTER TABLE log_waiting
    DROP CONSTRAINT log_waiting_pkey,
    ADD CONSTRAINT log_waiting_pkey PRIMARY KEY (id, owner_id);

-- An execution is where its prompt is, whoever ran it.
UPDATE executions SET owner_id = executed_by WHERE by_owner;
ALTER TABLE executions
    ALTER COLUMN owner_id SET NOT NULL,
    DROP CONSTRAINT executions_pkey,
    ADD CONSTRAINT executions_pkey PRIMARY KEY (id, owner_id);

-- On each server, whole: few rows, seldom written.  A write goes to all of
-- them and is committed in two phases.  E-mails are unique here.
SELECT create_reference_table('users');

SELECT create_distributed_table('prompts', 'owner_id',
                                colocate_with => 'none');
SELECT create_distributed_table('prompt_versions', 'owner_id',
                                colocate_with => 'prompts');
SELECT create_distributed_table('prompt_labels', 'owner_id',
                                colocate_with => 'prompts');
SELECT create_distributed_table('prompt_label_moves', 'owner_id',
                                colocate_with => 'prompts');
SELECT create_distributed_table('executions', 'owner_id',
                                colocate_with => 'prompts');
SELECT create_distributed_table('log_waiting', 'owner_id',
                                colocate_with => 'prompts');
SELECT create_distributed_table('idempotency_keys', 'user_id',
                                colocate_with => 'prompts');

-- A kind is a hash of a user and more: its list and sums are in one shard.
SELECT create_distributed_table('log_kinds', 'kind',
                                colocate_with => 'none');
SELECT create_distributed_table('log_entries', 'kind',
                                colocate_with => 'log_kinds');
SELECT create_distributed_table('statistics', 'kind',
                                colocate_with => 'log_kinds');

-- On the coordinator alone.  Keys and sessions are found by a hash, before it
-- is known whose they are, and a hash is unique among all: so one place has
-- them, behind Redis.  The others are a row or a queue of the sweepers.
SELECT citus_add_local_table_to_metadata('api_keys');
SELECT citus_add_local_table_to_metadata('executions_sweep');
SELECT citus_add_local_table_to_metadata('executions_running');
SELECT citus_add_local_table_to_metadata('log_mark');
SELECT citus_add_local_table_to_metadata('prompt_migrations');
SELECT citus_add_local_table_to_metadata('prompt_database');

ALTER TABLE prompt_versions
    ADD CONSTRAINT prompt_versions_owner_id_prompt_id_fkey
        FOREIGN KEY (owner_id, prompt_id)
        REFERENCES prompts (owner_id, id) ON DELETE CASCADE;
ALTER TABLE prompt_labels
    ADD CONSTRAINT prompt_labels_owner_id_prompt_id_fkey
        FOREIGN KEY (owner_id, prompt_id)
        REFERENCES prompts (owner_id, id) ON DELETE CASCADE;
ALTER TABLE prompt_labels
    ADD CONSTRAINT prompt_labels_prompt_id_version_fkey
        FOREIGN KEY (prompt_id, version, owner_id)
        REFERENCES prompt_versions (prompt_id, version, owner_id)
        ON DELETE CASCADE;
ALTER TABLE prompt_label_moves
    ADD CONSTRAINT prompt_label_moves_owner_id_prompt_id_fkey
        FOREIGN KEY (owner_id, prompt_id)
        REFERENCES prompts (owner_id, id) ON DELETE CASCADE;
ALTER TABLE executions
    ADD CONSTRAINT executions_prompt_id_version_fkey
        FOREIGN KEY (prompt_id, version, owner_id)
        REFERENCES prompt_versions (prompt_id, version, owner_id)
        ON DELETE CASCADE;

-- No function is given to create_distributed_function(): each goes over the
-- rows of all owners, and is called on the coordinator.
