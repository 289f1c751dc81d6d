-- compatible: 1
--
-- Labels: names of versions that can be moved.
--
-- The label that an execution was asked for by, NULL where it was not.

ALTER TABLE executions ADD COLUMN label text;
