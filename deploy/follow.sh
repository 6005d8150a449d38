#!/bin/sh
# Replication engine of a follower. Litestream keeps a copy of the leader's database in GUILDHALL_DATA/engine.
# While the copy is complete, this script makes it available as GUILDHALL_DATA/guildhall.db. While the copy
# may be incomplete, the script removes that name. See docs/scaling.md#readers-on-other-machines. Needs
# Litestream 0.5 and flock.
#
#   GUILDHALL_DATA             data folder of the follower
#   GUILDHALL_REPLICA          target of the leader's Litestream (file:///…, s3://…)
#   GUILDHALL_FOLLOW_INTERVAL  polling interval (default: 20ms); S3 charges for each poll
#   GUILDHALL_FOLLOW_CHECK     seconds between checks for missed updates (default: 10)
set -u
engine= stopped= child=
trap 'stopped=1; [ -z "$engine$child" ] || kill -TERM $engine $child 2>/dev/null' TERM INT HUP

shown=${GUILDHALL_DATA:?must name the data folder}/guildhall.db
replica=${GUILDHALL_REPLICA:?must name the replica that the leader writes}
interval=${GUILDHALL_FOLLOW_INTERVAL:-20ms}
check=${GUILDHALL_FOLLOW_CHECK:-10}
own=$GUILDHALL_DATA/engine
copy=$own/guildhall.db
# The engine holds this named pipe open. If the pipe exists but no engine holds it open, the copy may contain
# half an update.
held=$shown-held
# At its default level, Litestream logs a line per update.
export LOG_LEVEL="${LOG_LEVEL:-WARN}"
umask 077

say() { echo "follow: $*"; }

# Repeats the signal until the process is gone, because a process that has just been forked may lose a signal.
end() { while kill -TERM "$1" 2>/dev/null; do sleep 0.05; done; }

# Runs a program, and stops the program if this script is stopped.
during() {
  "$@" &
  child=$!
  [ -n "$stopped" ] || wait "$child"
  [ -z "$stopped" ] || end "$child"
  child=
  return 0
}

# Transaction numbers, or 0 if unknown. `here` is the position of the copy, and `there` is the position that a
# restore would reach.
number() { echo $((0x${1:-0})); }
here() { number "$(cat "$copy-txid" 2>/dev/null)"; }
there() { # file for the output
  during litestream restore -dry-run -json -o "$own/none" "$replica" >"$1" 2>/dev/null
  there=$(number "$(sed -n 's/^ *"max_txid": "\([0-9a-f]*\)".*/\1/p' "$1" | head -n 1)")
}

is_there() { [ -e "$copy-txid" ] && [ "$(here)" -ge "$goal" ]; }

hide() { rm -f "$shown"; }

# Publishes the copy. Until the first update, bytes 18 and 19 in the header of a fresh copy say WAL mode. A
# program that opens such a copy looks for a WAL that never exists. So this function sets both bytes to 1,
# which means no WAL.
show() {
  if [ "$(mode "$copy")" != 1 ]; then
    printf '\001\001' | dd of="$copy" bs=1 seek=18 conv=notrunc 2>/dev/null
    touch "$copy-txid"
  fi
  # If both names are links to one file, rename(2) does nothing, so rm removes the second name.
  ln -f "$copy" "$shown.new" && mv -f "$shown.new" "$shown" && rm -f "$shown.new"
}
mode() { od -An -tu1 -j18 -N1 "$1" 2>/dev/null | tr -d ' '; }

# Whether the copy may contain half an update. Litestream writes the position file after each update.
is_behind() { [ "$copy" -nt "$copy-txid" ]; }

# Prints the log of the engine, each fault once. After a failed update, the copy may contain half of the
# update without a lock against readers. The next attempt then starts with earlier updates. So this function
# hides the copy and kills the engine.
listen() {
  last=
  while IFS= read -r line; do
    fault=${line#*err=}
    fault=${fault%consecutive_errors*}
    [ "$fault" = "$last" ] || echo "$line"
    last=$fault
    case $line in *"follow: error applying"*) if is_behind; then hide && kill -KILL "$1"; fi ;; esac
  done
}

# Stops the engine if the copy must be rebuilt. Litestream hangs silently if the next update is missing
# (Litestream issue 1515). In that case the replica was ahead at the last check, and the copy has not changed
# since. The copy must also be rebuilt if the replica was recreated.
watch() {
  wanted=0
  while :; do
    during sleep "$check"
    [ -z "$stopped" ] || exit 0
    [ -e "$copy-txid" ] || continue
    if [ "$(here)" -lt "$wanted" ] && [ ! "$copy" -nt "$own/looked" ]; then
      say "stuck at $(here) while the replica is at $wanted, starting over"
      break
    fi
    : >"$own/looked"
    before=$(here)
    there "$own/watched"
    [ -z "$stopped" ] || exit 0
    wanted=$there
    if [ "$wanted" -gt 0 ] && [ "$wanted" -lt "$before" ]; then
      say "the replica was recreated (at $wanted, copy at $before), starting over"
      break
    fi
  done
  : >"$own/anew"
  kill -TERM "$1" && during sleep 5 && [ -z "$stopped" ] && kill -KILL "$1"
} 2>/dev/null

mkdir -p "$own" || exit 1
exec 9>"$own/lock"
if ! flock -n 9; then
  say "another engine already uses this folder"
  exit 2
fi
if [ -e "$GUILDHALL_DATA/guildhall.leads" ]; then
  say "this node leads, or a demotion was interrupted: run guildhall demote first"
  exit 2
fi
if [ -e "$shown-wal" ] || [ "$(mode "$shown")" = 2 ]; then
  say "a server writes $shown, so this folder is not a follower's"
  exit 2
fi
[ -p "$own/said" ] || mkfifo "$own/said" || exit 1
rm -f "$shown.new" "$own/anew"

while [ -z "$stopped" ]; do
  # After a clean stop, the engine applies no update twice. After any other end, the copy passes through
  # states that never existed, until it reaches the current position of the replica. The copy stays hidden
  # until then.
  was_whole=
  if [ -p "$held" ]; then hide; else mkfifo "$held" && was_whole=1; fi
  there "$own/found"
  goal=$there
  if [ -n "$stopped" ]; then
    # The copy has not changed, so a complete copy is still complete.
    [ -z "$was_whole" ] || rm "$held"
    break
  fi
  [ -n "$was_whole" ] || [ "$goal" -gt 0 ] || { say "cannot read $replica, retrying" && sleep 1 && continue; }
  # Positions of two replicas cannot be compared, so the copy is rebuilt if the replica has changed.
  if [ -e "$own/anew" ] || [ ! -e "$copy-txid" ] || [ "$replica" != "$(cat "$own/replica" 2>/dev/null)" ] ||
    { [ "$goal" -gt 0 ] && [ "$(here)" -gt "$goal" ]; }; then
    rm -f "$own/anew" "$copy" "$copy".tmp* "$copy-txid"*
    echo "$replica" >"$own/replica"
  fi

  litestream restore -f -follow-interval "$interval" -o "$copy" "$replica" <>"$held" >"$own/said" 2>&1 &
  engine=$!
  listen "$engine" <"$own/said" 9>&- &
  ears=$!
  : >"$own/looked"
  (
    trap 'stopped=1; [ -z "$child" ] || kill -TERM "$child" 2>/dev/null' TERM INT HUP
    watch "$engine"
  ) 9>&- &
  watcher=$!
  while [ -z "$stopped" ] && kill -0 "$engine" 2>/dev/null && ! is_there; do sleep 0.02; done
  is_shown=
  if is_there && kill -0 "$engine" 2>/dev/null; then show && is_shown=1; fi

  # A signal to this script also ends `wait`, so the loop repeats until the engine is gone.
  while [ -n "$stopped" ] && end "$engine"; wait "$engine"; code=$?; kill -0 "$engine" 2>/dev/null; do :; done
  # Exit code 0: the engine was stopped. 1: it could not start. Any other code: the engine may have stopped in
  # the middle of an update.
  [ "$code" = 0 ] && [ -n "$is_shown" ] && [ -e "$shown" ] && was_whole=1
  [ "$code" -gt 1 ] && was_whole=
  if [ -n "$was_whole" ] && ! is_behind; then rm "$held"; else hide; fi
  end "$watcher"
  # If the engine ended before it opened the log pipe, the reader still waits for a writer. Opening the pipe
  # ends the wait.
  while kill -0 "$ears" 2>/dev/null; do : <>"$own/said" && sleep 0.02; done
  wait "$ears" "$watcher" 2>/dev/null
  engine=
  [ -n "$stopped" ] || [ -n "$is_shown" ] || sleep 1
done
