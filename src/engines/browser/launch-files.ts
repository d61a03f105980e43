// The two programs between playwright and Chromium, as texts: they are written into the folder of each browser, because
// the user that Chromium runs as may not be able to enter ours.

/** Parts of a window that are never shown here; Chromium would start a process for them with every first page of a context. */
const unseenFeatures = "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup";

/**
 * Notes its process id, drops root, and with ISOLATED enters its own namespaces: no network but loopback, no files of
 * the operator's, no other processes. Playwright's profile folder is not reachable there, so it is replaced, and removed while it is empty. A browser
 * that users drive has its own /etc, too, as has one that is told which certificates to trust; the first writes nothing to the disk: its profile and its temporary files are
 * in memory, where the system itself holds them to FILE_BYTES each.
 */
export const launchScript = `#!/bin/sh
home="$(cd "$(dirname "$0")" && pwd)"
export home
echo $$ > "$home/pid"
for word; do
  shift
  case "$word" in
    --user-data-dir="$home/profile") ;;
    --user-data-dir=*) rmdir "\${word#*=}" || :; word="--user-data-dir=$home/profile" ;;
    # Of two such lists Chromium takes the last one only.
    --disable-features=*) word="$word,${unseenFeatures}" ;;
  esac
  set -- "$@" "$word"
done
drop=""
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
  drop="setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --no-new-privs --"
fi
cd /
if [ -z "$ISOLATED" ]; then exec $drop "$CHROMIUM" "$@"; fi
exec $drop unshare --user --map-current-user --net --mount --pid --fork --kill-child --mount-proc --keep-caps -- sh -ec '
  mount --bind "$home" /mnt
  if [ -n "$NODE_COPY" ]; then mount --bind "$NODE_COPY" /mnt/node; fi
  mount -t tmpfs -o size=1m,nosuid,nodev none /tmp
  mkdir -p "$home"
  mount --rbind /mnt "$home"
  IFS=:
  for folder in $HIDE /mnt; do
    if [ -d "$folder" ]; then mount -t tmpfs -o size=4k,mode=555,nosuid,nodev none "$folder"; fi
  done
  if [ -n "$OWN_ETC" ]; then
    for entry in "$home"/etc/*; do
      case "$entry" in */chromium | */opt) continue ;; esac
      mount --bind "/etc/\${entry##*/}" "$entry"
    done
    mount --rbind "$home/etc" /etc
  fi
  if [ -n "$DEVTOOLS_SOCKET" ]; then
    for folder in "$home/profile" "$home/tmp"; do
      mount -t tmpfs -o "size=$FILE_BYTES,mode=700,nosuid,nodev" none "$folder"
    done
  fi
  exec "$NODE" "$home/relay.cjs" "$@"' sh "$@"
`;

/**
 * Inside the namespace: brings loopback up, carries a port of it to the proxy's unix socket, and starts Chromium. With
 * DEVTOOLS_SOCKET it also carries that unix socket to Chromium's debugging port, and ends, and everything in the namespace
 * with it, when its parent process is gone.
 */
export const relayPort = 3128;
export const devtoolsPort = 9222;
export const relayProgram = `"use strict";
const { spawn, spawnSync } = require("node:child_process");
const { connect, createServer } = require("node:net");
const { PROXY_SOCKET, CHROMIUM, NODE, NODE_COPY, LD_LIBRARY_PATH, ISOLATED, HIDE, PROBE, OWN_ETC, DEVTOOLS_SOCKET, FILE_BYTES, ...environment } = process["env"];
const bringUp = 'use Socket; socket(S,AF_INET,SOCK_DGRAM,0) or die; my $r=pack("a16 s x22","lo",0x49); ioctl(S,0x8914,$r) or die';
const ways = [["ip", "link", "set", "lo", "up"], ["perl", "-e", bringUp]];
if (!ways.some(([command, ...words]) => spawnSync(command, words).status === 0)) process.exit(97);
if (PROBE) process.exit(0);
const carryTo = (target, greet) =>
  createServer((from) => {
    const to = connect(target);
    if (greet) to.write(greet(from));
    from.pipe(to).pipe(from);
    for (const [one, other] of [[from, to], [to, from]]) {
      one.on("error", () => other.destroy());
      one.on("close", () => other.destroy());
    }
  });
if (DEVTOOLS_SOCKET) {
  carryTo({ port: ${devtoolsPort}, host: "127.0.0.1" }).listen(DEVTOOLS_SOCKET, () => {
    // Nothing more is made on the disk from here on.
    const how = "remount,bind,ro,nosuid,nodev,noexec";
    if (spawnSync("mount", ["-o", how, __dirname]).status !== 0) process.exit(96);
    start();
  });
  process.stdin.resume().on("close", () => process.exit(0));
} else start();
function start() {
  // The first bytes tell the proxy which address was dialled: every visit has its own.
  carryTo(PROXY_SOCKET, (from) => Buffer.from(from.localAddress.split("."))).listen(${relayPort}, "0.0.0.0", launch);
}
function launch() {
  const drop = ["--inh-caps=-all", "--ambient-caps=-all", "--no-new-privs", "--"];
  const stdio = DEVTOOLS_SOCKET ? ["ignore", 1, 2] : [0, 1, 2, 3, 4];
  const browser = spawn("setpriv", [...drop, CHROMIUM, ...process.argv.slice(2)], { env: environment, stdio });
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => browser.kill(signal));
  browser.on("error", () => process.exit(98));
  browser.on("exit", (code) => process.exit(code ?? 1));
}
`;
