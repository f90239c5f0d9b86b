/** What a command leaves for a later one: of its own job, of another job, or of the engine. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandRequest } from '../../../src/engine/session/commandPorts.ts';
import { type Ground, SECRET, SWAPPED } from './ground.ts';

interface Pair {
  readonly leave: (ground: Ground) => string;
  readonly find: (ground: Ground) => string;
  /** Whose the second is; absent: the same job's agent. */
  readonly whose?: 'another job' | 'the engine' | 'a reviewer';
  readonly more?: (ground: Ground) => Partial<CommandRequest>;
}

const STARTS = ['.profile', '.bashrc', '.bash_profile', '.shrc', '.zshrc', '.npmrc', '.gitconfig', '.noderc'];

export const pairs: Readonly<Record<string, Pair>> = {
  "another job looks into this one's home": {
    leave: () => `echo ${SECRET} > ~/left`,
    find: ({ root }) => `cat ~/left ${root}/private/home/*/left`,
    whose: 'another job',
  },
  "another job writes into this one's home": {
    leave: () => 'echo "$HOME" > home-of-a; echo "echo GOT" > ~/tool',
    find: ({ clone }) => `echo x > "$(cat ${clone}/home-of-a)/left"; ls ${clone} && echo GOT`,
    whose: 'another job',
  },
  'a reviewer finds what the worker left at home': {
    leave: () => `echo ${SECRET} > ~/left`,
    find: ({ root }) => `cat ~/left ${root}/private/home/*/left`,
    whose: 'a reviewer',
  },
  "the engine's own command obeys what lies in a home": {
    leave: () =>
      `for f in ${STARTS.join(' ')}; do echo 'echo GOT' > ~/$f; done; echo '[alias] st = !echo GOT' > ~/.gitconfig`,
    find: () => 'bash -lc true; ENV=~/.shrc sh -ic true; bash -ic true; git st; cat ~/.profile',
    whose: 'the engine',
  },
  'a command obeys a variable of the one before': {
    leave: () =>
      'echo "echo GOT" > x; export ENV=$PWD/x BASH_ENV=$PWD/x LD_PRELOAD=$PWD/x; echo "$BASH_ENV" > /dev/null',
    find: () => 'bash -c true; env | grep -E "^(ENV|BASH_ENV|LD_PRELOAD)=" && echo GOT',
  },
  'a temp folder is found by the next': {
    leave: () => `echo ${SECRET} > "$TMPDIR/x"`,
    find: ({ root }) => `cat "$TMPDIR/x" ${root}/private/run/*/tmp/x`,
  },
  'the folder that starts the next is written before': {
    leave: () =>
      'for n in $(seq 0 400); do mkdir -p "$TMPDIR/../../$n"; echo "echo GOT" > "$TMPDIR/../../$n/command"; done 2>/dev/null',
    find: () => 'true',
  },
  'memory in /dev/shm is found by the next': {
    leave: ({ mark }) => `echo ${SECRET} > /dev/shm/${mark}`,
    find: ({ mark }) => `cat /dev/shm/${mark}`,
  },
  'a process outlives its command': {
    leave: () =>
      "(trap '' TERM HUP INT; setsid sh -c 'sleep 0.5; echo x > late; sleep 9' >/dev/null 2>&1 &) ; sleep 0.1",
    find: () => 'sleep 0.6; cat late && echo GOT',
  },
  'a process without an environment, forked twice, outlives it': {
    leave: () => "(setsid env -i setsid sh -c '(sleep 0.5; echo x > later; sleep 9) &' >/dev/null 2>&1 &) ; sleep 0.1",
    find: () => 'sleep 0.6; cat later && echo GOT',
  },
  'a folder to write becomes a link': {
    leave: ({ home }) => `rm -rf sub; ln -s ${home} sub`,
    find: () => 'cat sub/.ssh/id_ed25519; echo x > sub/escaped',
    more: ({ clone }) => ({ writable: [clone, join(clone, 'sub')] }),
  },
  'a link was put where a clone was': {
    leave: () => 'true',
    find: ({ root }) => `cat ${root}/${SWAPPED}/.ssh/id_ed25519; echo x > ${root}/${SWAPPED}/.ssh/escaped`,
    more: ({ clone, root, home }) => {
      symlinkSync(home, join(root, SWAPPED));
      return { writable: [clone, join(root, SWAPPED)] };
    },
  },
  'a folder to read becomes a link': {
    leave: ({ root }) => `rm -rf seen; ln -s ${root}/.autonomous seen`,
    find: () => 'cat seen/secret',
    more: ({ clone }) => ({ readable: [join(clone, 'seen')] }),
  },
  'what builds a sandbox is shadowed': {
    leave: () =>
      'mkdir -p bin; for n in bwrap socat sh rg which env; do printf "#!/bin/sh\\necho GOT\\n" > bin/$n; chmod +x bin/$n; done',
    find: () => 'true',
    more: ({ clone }) => ({
      env: {
        PATH: `${clone}/bin:/usr/bin:/bin`,
        ENV: `${clone}/bin/sh`,
        BASH_ENV: `${clone}/bin/sh`,
        LD_PRELOAD: `${clone}/bin/x.so`,
      },
    }),
  },
};

/** What the second one got of the first. */
export async function left(ground: Ground, { leave, find, whose, more }: Pair): Promise<string[]> {
  const first = await ground.run(leave(ground));
  const other = whose === 'another job' ? { cwd: ground.other, writable: [ground.other] } : {};
  const second = await ground.run(find(ground), {
    ...other,
    ...(whose === 'the engine' ? { home: 'engine' } : whose === 'a reviewer' ? { home: 'reader' } : {}),
    ...more?.(ground),
  });
  const took = await ground.taken(second.output);
  return first.sandboxed && second.sandboxed ? took : [...took, 'no sandbox'];
}
