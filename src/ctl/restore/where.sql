-- The schema, whether the service's tables are in it, and a right that is
-- missing.

SELECT current_schema(), to_regclass('prompt_migrations') IS NOT NULL,
    CASE WHEN NOT has_database_privilege(current_database(), 'CREATE')
    THEN format('GRANT CREATE ON DATABASE %I TO %I', current_database(),
        current_user) END
