#!/bin/sh
# Makes the secrets that are missing and starts Paydesk with compose.yaml. Arguments go to "docker compose up".
# With --secrets-only it only makes the secrets.
set -eu
cd "$(dirname "$0")/../.."
secrets=${SECRETS:-./secrets}

# The folder keeps others on this machine out. The files in it are readable, because each container has a user of its own.
mkdir -p "$secrets"
chmod 700 "$secrets"

# Writes standard input to a secret, unless there is one.
make() {
  if [ ! -s "$secrets/$1" ]; then
    cat > "$secrets/$1.new"
    chmod 444 "$secrets/$1.new"
    mv "$secrets/$1.new" "$secrets/$1"
    echo "made $secrets/$1"
  else
    cat > /dev/null
  fi
}

openssl rand -base64 32 | make secret_key
openssl rand -base64 24 | make admin_key
# In hexadecimal: no character of it has a meaning in an address.
openssl rand -hex 24 | make owner_password
openssl rand -hex 24 | make app_password
printf 'postgres://paydesk_owner:%s@postgres:5432/paydesk\n' "$(cat "$secrets/owner_password")" | make owner_database_url
printf 'postgres://paydesk_app:%s@postgres:5432/paydesk\n' "$(cat "$secrets/app_password")" | make database_url

if [ "${1:-}" = --secrets-only ]; then exit 0; fi
docker compose up --detach --build --wait "$@"
