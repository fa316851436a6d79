#!/bin/sh
# Run once by the PostgreSQL image, when it makes the database: the role of the service, which owns nothing.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$(cat /run/secrets/app_password)" \
  --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE paydesk_app LOGIN PASSWORD :'password';
SQL
