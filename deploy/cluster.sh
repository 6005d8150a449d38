#!/bin/sh
# Runs three nodes of one community on this machine, to try docs/scaling.md: a leader and two followers. Each
# follower has a replication engine: Litestream if it is in PATH, otherwise a snapshot every second. Ctrl-C
# stops all of them. The data stays in the folder, and the next run continues with it.
#
#   deploy/cluster.sh [PORT PORT PORT]    8787 8788 8789
#
#   CLUSTER_FOLDER  folder for the three data folders (default: ./cluster)
#   GUILDHALL       program to run (default: guildhall in PATH, else this checkout)
set -eu
here=$(cd "$(dirname "$0")" && pwd)
base=${CLUSTER_FOLDER:-./cluster}
set -- "${1:-8787}" "${2:-8788}" "${3:-8789}"
umask 077

say() { echo "cluster: $*"; }
refuse() {
  say "$*" >&2
  exit 1
}

if [ -z "${GUILDHALL:-}" ]; then
  if command -v guildhall >/dev/null; then GUILDHALL=guildhall; else GUILDHALL="bun $here/../src/cli/guildhall.ts"; fi
fi
if command -v litestream >/dev/null && command -v flock >/dev/null; then
  engine=litestream
elif command -v sqlite3 >/dev/null; then
  engine=sqlite3
elif command -v bun >/dev/null; then
  engine=bun
else
  refuse "needs litestream (with flock), sqlite3 or bun in PATH to replicate"
fi

mkdir -p "$base/1" "$base/2" "$base/3" "$base/replica"
base=$(cd "$base" && pwd)
url() { echo "http://127.0.0.1:$1"; }
nodes=$(url "$1"),$(url "$2"),$(url "$3")

# Returns the node that was promoted last. Before any promotion, node 1 leads.
leader() {
  last=1
  epoch=0
  for node in 1 2 3; do
    [ -e "$base/$node/guildhall.leads" ] || continue
    own=$(cat "$base/$node/guildhall.leads")
    [ "$own" -gt "$epoch" ] && epoch=$own && last=$node
  done
  echo "$last"
}

# Copies the database of one node to another. The copy is consistent. It replaces the old file by a rename, so
# that no open file is overwritten.
snapshot() {
  part=$base/replica/part-$2.db
  rm -f "$part"
  if [ "$engine" = sqlite3 ]; then
    sqlite3 -readonly "$base/$1/guildhall.db" "VACUUM INTO '$part'"
  else
    bun -e 'new (require("bun:sqlite").Database)(process.argv[1], { readonly: true }).run("VACUUM INTO ?", [process.argv[2]])' \
      "$base/$1/guildhall.db" "$part"
  fi || return 0
  [ -e "$base/$2/guildhall.leads" ] || mv -f "$part" "$base/$2/guildhall.db"
}

pids=
start() {
  name=$1
  shift
  "$@" >>"$base/$name.log" 2>&1 &
  pids="$pids $!"
  echo $! >"$base/$name.pid"
}
serve() { # node, port, addresses to follow (empty for the leader)
  replica=
  if [ "$engine" = litestream ] && [ -z "$3" ]; then replica="GUILDHALL_REPLICA=file://$base/replica/$1"; fi
  start "serve-$1" env GUILDHALL_PEERS="$nodes" GUILDHALL_STALL_AFTER=30s ${replica:+"$replica"} $GUILDHALL serve --data "$base/$1" --port "$2" ${3:+--follow "$3"}
}
follow() { # node
  if [ "$engine" = litestream ]; then
    start "engine-$1" env GUILDHALL_DATA="$base/$1" GUILDHALL_REPLICA="file://$base/replica/$first" sh "$here/follow.sh"
  else
    moving "$1" >>"$base/engine-$1.log" 2>&1 &
    pids="$pids $!"
    echo $! >"$base/engine-$1.pid"
  fi
}
moving() {
  trap 'exit 0' TERM
  while [ ! -e "$base/$1/guildhall.leads" ]; do
    snapshot "$(leader)" "$1"
    sleep 1
  done
}

end() {
  trap '' INT TERM
  say "stopping"
  # shellcheck disable=SC2086
  kill $pids 2>/dev/null || true
  wait
}
trap 'end; exit 0' INT TERM

first=$(leader)
if [ ! -e "$base/$first/guildhall.db" ]; then
  $GUILDHALL builder create ada --name Ada --data "$base/$first" >/dev/null
  $GUILDHALL token create ada --tier enterprise --data "$base/$first" >"$base/token" 2>/dev/null
fi
for node in 1 2 3; do [ "$node" = "$first" ] || cp "$base/$first/guildhall.key" "$base/$node/"; done

for node in 1 2 3; do
  if [ "$node" = "$first" ]; then serve "$node" "$1" ""; else serve "$node" "$1" "$nodes"; fi
  [ "$node" = 1 ] && own=$1
  [ "$node" = "$first" ] && at=$1
  shift
done
if [ "$engine" = litestream ]; then
  start "engine-$first" env GUILDHALL_DATA="$base/$first" GUILDHALL_REPLICA="file://$base/replica/$first" \
    litestream replicate -config "$here/litestream-leader.yml"
fi
for node in 1 2 3; do [ "$node" = "$first" ] || follow "$node"; done

other=$((first % 3 + 1))
cat <<TRY

  Node $first leads at $(url "$at"), the others follow. Replication by $engine. All nodes: $nodes
  Logs and process ids are in $base.

    token=\$(cat $base/token)
    curl -H "Authorization: Bearer \$token" -H 'Content-Type: application/json' -d '{"text":"Hello"}' ANY_NODE/v1/feed
    curl -H "Authorization: Bearer \$token" ANY_NODE/v1/feed
    curl ANY_NODE/readyz

  Planned move, without losing anything:

    GUILDHALL_PEERS=$nodes $GUILDHALL promote --data $base/$other --stop-engine 'kill \$(cat $base/engine-$other.pid)'

  Loss of the leader: kill -9 \$(cat $base/serve-$first.pid), then the same command. Ctrl-C stops all three.

TRY
say "ready"
wait
