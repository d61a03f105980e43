// What a program's process is started with, as a text: it is written into a folder that the user it runs as can enter.

/**
 * Drops root, enters its own namespaces, and builds a root folder that holds only what it is given: node with its
 * libraries, our few files, a small folder for temporary ones, the session's socket. There is no network, not even loopback,
 * no other process, no /proc. The inner `unshare` changes to that root and leaves every capability behind.
 */
export const sandboxScript = `#!/bin/sh
cd /
drop=""
if [ "$(id -u)" = 0 ]; then drop="--reuid=65534 --regid=65534 --clear-groups --inh-caps=-all"; fi
exec setpriv $drop --no-new-privs --pdeathsig KILL -- \\
  unshare --user --map-current-user --net --ipc --uts --mount --pid --fork --kill-child --keep-caps -- sh -ec '
  mount -t tmpfs -o size=1m,mode=755,nosuid none "$ROOT"
  cd "$ROOT"
  mkdir dev tmp kit
  IFS=:
  show() {
    mkdir -p ".$(dirname "$1")"
    if [ -h "$1" ] && [ -d "$1" ]; then
      ln -s "$(readlink "$1")" ".$1"
      return
    fi
    if [ -d "$1" ]; then mkdir -p ".$1"; else : > ".$1"; fi
    mount --rbind "$1" ".$1"
    mount -o remount,bind,ro,nosuid,nodev ".$1"
  }
  for place in $SHOW; do
    if [ ! -e ".$place" ]; then show "$place"; fi
  done
  for folder in $HIDE; do
    if [ -d ".$folder" ]; then mount -t tmpfs -o size=4k,mode=555,nosuid none ".$folder"; fi
  done
  for name in null zero full random urandom; do
    : > dev/$name
    mount --bind /dev/$name dev/$name
  done
  if [ -n "$NODE_COPY" ]; then
    mkdir node
    mount --bind "$NODE_COPY" node
    mount -o remount,bind,ro,nosuid,nodev node
  fi
  mount --bind "$KIT" kit
  mount -o remount,bind,ro,nosuid,nodev,noexec kit
  if [ -n "$SOCKET" ]; then
    : > devtools.sock
    mount --bind "$SOCKET" devtools.sock
  fi
  mount -t tmpfs -o size=32m,mode=777,nosuid,noexec,nodev none tmp
  mount -o remount,ro,nosuid "$ROOT"
  exec env -i HOME=/tmp LANG=C.UTF-8 PATH=/usr/local/bin:/usr/bin:/bin \${LIBRARIES:+LD_LIBRARY_PATH="$LIBRARIES"} prlimit $LIMITS \\
    unshare --user --map-current-user --root=. --wd=/tmp -- "$NODE" "$@"' sh "$@"
`;
