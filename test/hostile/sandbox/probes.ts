/**
 * The probes: each a command that gets something of the ground, or says GOT. Those of `anybody` do so in any shell outside of a
 * sandbox, which is how they are known to see; the others take rights there that we will not use.
 */
import type { Ground } from './ground.ts';

export type Probes = Readonly<Record<string, (ground: Ground) => string>>;

/** As one word of a shell. */
const node = (program: string): string => `node -e '${program}'`;
/** Leaves with 0 when it could connect. */
const dial = (where: string): string =>
  node(`require("net").connect(${where}).on("connect", () => process.exit()).on("error", () => process.exit(1))`);

const WRITES: Probes = {
  'write HEAD': () => 'echo x > ../git/HEAD',
  'write a hook': () => 'mkdir -p ../git/hooks; echo x > ../git/hooks/post-checkout',
  'write the configuration': () => 'echo "[core]" >> ../git/config',
  'write by a link': () => 'ln -sfn ../git way; echo x > way/HEAD',
  'write by /proc': () => 'echo x > /proc/self/cwd/../git/HEAD',
  'write by the root of a process': ({ root }) => `echo x > /proc/self/root${root}/escaped`,
  'rename another over it': () => 'mkdir -p mine; rm -rf ../git/*; mv -T mine ../git',
  'take it away': () => 'rm -rf ../git',
  'write the state': ({ root }) => `echo x > ${root}/.autonomous/events.jsonl`,
  'write beside the clone': ({ root }) => `echo x > ${root}/escaped`,
  'write by ..': () => 'echo x > ../../../escaped',
  'write in /tmp': ({ mark }) => `echo x > /tmp/${mark}`,
  'write in /dev/shm': ({ mark }) => `echo x > /dev/shm/${mark}`,
  'write in the home': ({ home }) => `echo x > ${home}/.profile`,
  'rename out of the clone': ({ root }) => `echo x > in && mv in ${root}/escaped`,
  'change rights': ({ root }) => `chmod 777 ${root}/outside/file`,
  'cut a file by its name': ({ root }) => `truncate -s 0 ${root}/outside/file`,
  'leave a setuid shell': ({ root }) => `cp /bin/sh ${root}/sh && chmod 4755 ${root}/sh`,
  'leave a pipe for others': ({ root }) => `mkfifo ${root}/pipe`,
};

const READS: Probes = {
  'read a secret of it': () => 'cat ../git/secret',
  'read it by a hard link': () => 'rm -f hard; ln ../git/secret hard; cat hard',
  'read the state': ({ root }) => `cat ${root}/.autonomous/secret`,
  'read a key': ({ home }) => `cat ${home}/.ssh/id_ed25519`,
  'read a key by a link': ({ home }) => `ln -sfn ${home} h && cat h/.ssh/id_ed25519`,
  'read a masked file': ({ home }) => `cat ${home}/.npmrc`,
  'link a secret in': ({ home }) => `rm -f hard; ln ${home}/.npmrc hard && cat hard`,
  'read .config': ({ home }) => `cat ${home}/.config/gh/hosts.yml`,
  'read .netrc': ({ home }) => `cat ${home}/.netrc`,
  'read another job': ({ root }) => `cat ${root}/jobs/b/tree/other`,
  'list other jobs': ({ root }) => `ls ${root}/jobs | grep -qx b && echo GOT`,
  'copy all of it': ({ root }) => `tar cf - -C ${root} home jobs/b .autonomous | grep -aom1 sk-not-for-you-5f1c`,
  'read the memory of another': ({ bystander }) =>
    node(
      `const fd = require("fs").openSync("/proc/${bystander.pid}/mem"); const b = Buffer.alloc(99); require("fs").readSync(fd, b, 0, 99, ${bystander.at}); console.log(b.toString("latin1"))`,
    ),
  'read the environment of another': ({ bystander }) => `tr '\\0' '\\n' < /proc/${bystander.pid}/environ`,
  'find our key in any environment': () =>
    "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | grep -m1 sk-not-for",
  'go by the folder of another': ({ bystander, root }) => `cat /proc/${bystander.pid}/root${root}/.autonomous/secret`,
  'look where another is': ({ bystander }) => `readlink /proc/${bystander.pid}/cwd && echo GOT`,
  'look at the files of another': ({ bystander }) => `ls /proc/${bystander.pid}/fd/0 && echo GOT`,
  'listen at a file': ({ root }) => `escape watch ${root}/jobs/b/tree`,
  'see its dates change': ({ root }) => `stat -c %y ${root}/jobs/b/tree/other && echo GOT`,
};

const PROCESSES: Probes = {
  'signal another process': ({ bystander }) => `kill -9 ${bystander.pid}`,
  'signal it by node': ({ bystander }) => node(`process.kill(${bystander.pid}, 9)`),
  'stop another process': ({ bystander }) => `kill -STOP ${bystander.pid} && echo GOT; kill -CONT ${bystander.pid}`,
  'slow another process': ({ bystander }) => `renice -n 19 -p ${bystander.pid} && echo GOT`,
  'limit another process': ({ bystander }) => `prlimit --pid ${bystander.pid} --core=0 && echo GOT`,
  'shared memory by number': ({ number }) => `escape shared ${number}`,
  'a queue by name': ({ number }) => `escape queue /q-${number}`,
  'ask for a ring of the kernel': () => 'escape uring',
};

const CONNECTS: Probes = {
  'connect to a port': ({ ports }) => dial(`${ports.tcp}, "127.0.0.1"`),
  'connect to a port by IPv6': ({ ports }) => (ports.tcp6 === 0 ? 'echo GOT >&2' : dial(`${ports.tcp6}, "::1"`)),
  'connect to a port by a mapped address': ({ ports }) => dial(`${ports.tcp}, "::ffff:127.0.0.1"`),
  'connect to a port by no address': ({ ports }) => dial(`${ports.tcp}, "0.0.0.0"`),
  'connect to a port by a name': ({ ports }) => dial(`${ports.tcp}, "localhost"`),
  'connect by socat': ({ ports }) => `socat -u OPEN:/dev/null TCP4:127.0.0.1:${ports.tcp}`,
  'send a datagram': ({ ports }) => `echo x | socat - UDP4-SENDTO:127.0.0.1:${ports.udp}`,
  'connect to a socket': ({ root }) => dial(`"${root}/s"`),
  'connect to a socket by socat': ({ root }) => `socat -u OPEN:/dev/null UNIX-CONNECT:${root}/s`,
  'connect to a socket without a file': ({ mark }) => `escape abstract ${mark}`,
  'connect without a file by socat': ({ mark }) => `socat -u OPEN:/dev/null ABSTRACT-CONNECT:${mark}`,
};

/** Of a kind that any program of a person could, by subject. */
export const anybodyBy = { writing: WRITES, reading: READS, processes: PROCESSES, connecting: CONNECTS };
export const anybody: Probes = { ...WRITES, ...READS, ...PROCESSES, ...CONNECTS };

const MACHINE: Probes = {
  'rename its parent': () => 'mv ../../a ../../c',
  'write to a system folder': ({ mark }) => `echo x > /usr/local/bin/${mark} && rm /usr/local/bin/${mark} && echo GOT`,
  'read shadow': () => 'grep -q : /etc/shadow && echo GOT',
  'read the memory of the kernel': () => 'head -c 1 /proc/kcore /dev/kmem /dev/mem | grep -q . && echo GOT',
  'read the log of the kernel': () => 'dmesg | grep -q . && echo GOT',
  'read the disk': () => 'for d in /dev/vd? /dev/sd? /dev/nvme?n1; do head -c 1 $d && echo GOT; done',
  'make a device': () => 'mknod disk b 8 0 && echo GOT',
  'make a device of characters': () => 'mknod null c 1 3 && echo GOT',
  'open a kernel switch': () => ': >> /proc/sys/kernel/core_pattern && echo GOT',
  'open another kernel switch': () => ': >> /proc/sys/vm/overcommit_memory && echo GOT',
  'open the magic key': () => ': >> /proc/sysrq-trigger && echo GOT',
  'make the kernel switches writable': () => '{ umount /proc/sys || mount -o remount,rw,bind /proc/sys; } && echo GOT',
  'make a cell': ({ mark }) =>
    `for d in /sys/fs/cgroup /sys/fs/cgroup/*/; do mkdir "$d/${mark}" && rmdir "$d/${mark}" && echo GOT; done`,
  'leave its cell': () =>
    'for f in $(find /sys/fs/cgroup -maxdepth 2 -name cgroup.procs); do echo 1 > $f && echo GOT; done',
  'be told when a cell is empty': () =>
    'for f in $(find /sys/fs/cgroup -maxdepth 2 -name release_agent); do : >> $f && echo GOT; done',
  'write to a program that is loaded': () =>
    'for f in /sys/kernel/uevent_helper /sys/power/state; do : >> $f && echo GOT; done',
  'name the machine': () => 'hostname proof-escape',
  'set the clock': () => 'date -s "$(date)" && echo GOT',
  'gain rights by a setuid program': () => 'grep -q "^NoNewPrivs:.1$" /proc/self/status || echo GOT',
  'load a module': () => 'escape module',
  'load a program into the kernel': () => 'escape bpf',
};

const MOUNTS: Probes = {
  mount: () => 'mkdir -p m; mount -t tmpfs none m && umount m && echo GOT',
  'unmount what hides a secret': ({ home }) =>
    `umount ${home}/.ssh; umount -l ${home}/.ssh; cat ${home}/.ssh/id_ed25519`,
  'remount as writable': () => 'mount -o remount,rw,bind / && echo GOT',
  'mount a new proc': () => 'mkdir -p p && mount -t proc proc p && umount p && echo GOT',
  'bind over': ({ root }) => `escape bind . ${root}/outside`,
  'copy the tree of mounts': () => 'escape tree /',
  'open a new file system': () => 'escape new-filesystem',
  'change the root': () => 'escape pivot',
  'climb out of a root of its own': ({ root }) => `escape way-up ${root}/.autonomous/secret`,
  'open by a handle': ({ handle }) => `escape by-handle ${handle}`,
  'make a namespace of its own': () => 'unshare -Ur true && echo GOT',
  'make one with mounts': () => 'escape namespace',
  'make mounts of its own': () => 'escape mounts',
  'raise the bound on namespaces, then make one': () =>
    'echo 9 > /proc/sys/user/max_user_namespaces; unshare -Urm true && echo GOT',
  'enter the mounts of the first process': () => 'nsenter -t 1 -m true && echo GOT; escape enter /proc/1/ns/mnt',
  'enter the network of the first process': () => 'escape enter /proc/1/ns/net',
  'a sandbox in the sandbox': ({ home }) => `bwrap --dev-bind / / cat ${home}/.ssh/id_ed25519 && echo GOT`,
  'listen at a file system': ({ root }) => `escape watch-all ${root}/jobs/b/tree`,
  'enter the root of the first process': ({ root }) => `cat /proc/1/root${root}/.autonomous/secret`,
};

const CALLS: Probes = {
  'read the memory of another by a call': ({ bystander }) => `escape peek ${bystander.pid} ${bystander.at}`,
  'trace another process': ({ bystander }) => `escape trace ${bystander.pid}`,
  'trace the first process': () => 'escape trace 1',
  'signal all': () => 'kill -9 -1',
  'a raw socket': () => 'escape socket 2 3 1',
  'a raw socket of IPv6': () => 'escape socket 10 3 58',
  'a packet socket': () => 'escape socket 17 3 768',
  'a socket of the host of this machine': () => 'escape socket 40 1 0',
  'a socket of Bluetooth': () => 'escape socket 31 3 1',
  'a socket of the cryptography': () => 'escape socket 38 5 0',
  'a socket by the numbers of x32': () => 'escape numbers x32',
  'a socket by the numbers of i386': () => 'escape numbers i386',
  'reach the internet': () => 'curl -sS -m 3 http://1.1.1.1/ && echo GOT',
  'look up a name': () => 'getent ahosts registry.npmjs.org && echo GOT',
  'tell by a name': () => node('require("dns").resolve4("sk-not.example.com", (e) => e || console.log("GOT"))'),
  'the bus of the machine': () => 'socat -u OPEN:/dev/null UNIX-CONNECT:/run/dbus/system_bus_socket && echo GOT',
  'the socket of docker': () =>
    'for s in /var/run/docker.sock /run/containerd/containerd.sock /run/podman/podman.sock; do socat -u OPEN:/dev/null UNIX-CONNECT:$s && echo GOT; done',
  'agents of the user': () =>
    '[ -z "$SSH_AUTH_SOCK$GPG_AGENT_INFO$DBUS_SESSION_BUS_ADDRESS$XDG_RUNTIME_DIR$DISPLAY$WAYLAND_DISPLAY$VSCODE_IPC_HOOK_CLI" ] || echo GOT',
};

/** Of a kind that only the owner of a machine could, or that proves nothing out here. */
export const rightsBy = { 'the machine': MACHINE, mounts: MOUNTS, calls: CALLS };
export const rights: Probes = { ...MACHINE, ...MOUNTS, ...CALLS };
