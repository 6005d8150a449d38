#!/bin/sh
# Replication engine of a follower. Litestream keeps a copy of the leader's database in GUILDHALL_DATA/engine. While the
# copy is complete, this script makes it available as GUILDHALL_DATA/guildhall.db, and removes that name while it may not
# be. See docs/scaling.md#readers-on-other-machines. Needs litestream 0.5 and flock.
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
# A named pipe that the engine holds open: where it is there and nobody does, half of an update may be there.
held=$shown-held
# Each update would be a line otherwise.
export LOG_LEVEL="${LOG_LEVEL:-WARN}"
umask 077

say() { echo "follow: $*"; }

# Repeats the signal until the process is gone: a child that was only just forked may lose it.
end() { while kill -TERM "$1" 2>/dev/null; do sleep 0.05; done; }

# Runs a program that is ended with this script.
during() {
  "$@" &
  child=$!
  [ -n "$stopped" ] || wait "$child"
  [ -z "$stopped" ] || end "$child"
  child=
  return 0
}

# Where the copy is, and where a restore would come to, as numbers; 0 is nowhere.
number() { echo $((0x${1:-0})); }
here() { number "$(cat "$copy-txid" 2>/dev/null)"; }
there() { # file for the answer
  during litestream restore -dry-run -json -o "$own/none" "$replica" >"$1" 2>/dev/null
  there=$(number "$(sed -n 's/^ *"max_txid": "\([0-9a-f]*\)".*/\1/p' "$1" | head -n 1)")
}

is_there() { [ -e "$copy-txid" ] && [ "$(here)" -ge "$goal" ]; }

hide() { rm -f "$shown"; }

# A fresh copy says that a log lies beside (bytes 18 and 19) until the first update writes these two: whoever opened
# it before would look for that log for ever.
show() {
  if [ "$(mode "$copy")" != 1 ]; then
    printf '\001\001' | dd of="$copy" bs=1 seek=18 conv=notrunc 2>/dev/null
    touch "$copy-txid"
  fi
  # A rename between two names of one file does nothing.
  ln -f "$copy" "$shown.new" && mv -f "$shown.new" "$shown" && rm -f "$shown.new"
}
mode() { od -An -tu1 -j18 -N1 "$1" 2>/dev/null | tr -d ' '; }

# Half of an update may be there: the place is written down after it.
is_behind() { [ "$copy" -nt "$copy-txid" ]; }

# What the engine says, each fault once. After an update that failed nobody holds the lock over what is half there,
# and the next try begins with earlier ones.
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

# Litestream stands still for ever, and says nothing, where it finds no next update (its issue 1515): then the replica
# was further at the last look already, and nothing was written since. Or the replica began anew.
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
  # Whoever resumes from a clean end applies nothing twice. Else the copy passes through states that never were,
  # until it is where the replica is by now.
  was_whole=
  if [ -p "$held" ]; then hide; else mkfifo "$held" && was_whole=1; fi
  there "$own/found"
  goal=$there
  if [ -n "$stopped" ]; then
    # Nothing was moved meanwhile.
    [ -z "$was_whole" ] || rm "$held"
    break
  fi
  [ -n "$was_whole" ] || [ "$goal" -gt 0 ] || { say "cannot read $replica, retrying" && sleep 1 && continue; }
  # Numbers of another place say nothing of what is here.
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

  # A signal ends a wait, too.
  while [ -n "$stopped" ] && end "$engine"; wait "$engine"; code=$?; kill -0 "$engine" 2>/dev/null; do :; done
  # It was told to end, or could not begin; whatever ended otherwise may have ended anywhere.
  [ "$code" = 0 ] && [ -n "$is_shown" ] && [ -e "$shown" ] && was_whole=1
  [ "$code" -gt 1 ] && was_whole=
  if [ -n "$was_whole" ] && ! is_behind; then rm "$held"; else hide; fi
  end "$watcher"
  # An engine that ended before it opened the pipe leaves a reader that waits for it.
  while kill -0 "$ears" 2>/dev/null; do : <>"$own/said" && sleep 0.02; done
  wait "$ears" "$watcher" 2>/dev/null
  engine=
  [ -n "$stopped" ] || [ -n "$is_shown" ] || sleep 1
done
