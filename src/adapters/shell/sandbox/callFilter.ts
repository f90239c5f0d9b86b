/**
 * Writes a filter of system calls for bubblewrap, against what no namespace isolates from the machine: the keys that
 * the kernel keeps for the user's session (tickets, keys of disks), its log, and sockets of other kinds than those of
 * the network.
 */
import { writeFileSync } from 'node:fs';
import { platform } from '../../platform/platform.ts';

interface Architecture {
  /** The kernel's name of the architecture. */
  readonly audit: number;
  /** `add_key`, `request_key`, `keyctl`, `syslog`. */
  readonly refused: readonly number[];
  readonly socket: number;
}

/** Other architectures have no sandbox. */
const BY_ARCH: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, refused: [248, 249, 250, 103], socket: 41 },
  arm64: { audit: 0xc00000b7, refused: [217, 218, 219, 116], socket: 198 },
};

/** UNIX (which the library refuses except for its relay), INET, INET6 and NETLINK. */
const FAMILIES = [1, 2, 10, 16];

/** Constants of linux/filter.h and linux/seccomp.h. */
const [LOAD, JUMP_IF_EQUAL, RETURN] = [0x20, 0x15, 0x06];
const [CALL_AT, ARCH_AT, FIRST_ARGUMENT_AT] = [0, 4, 16];
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
/** Refuses with EPERM. */
const REFUSE = 0x00050001;

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** Each jump skips as many of the following instructions. */
const programFor = ({ audit, refused, socket }: Architecture): readonly Instruction[] => [
  [LOAD, 0, 0, ARCH_AT],
  [JUMP_IF_EQUAL, 1, 0, audit],
  // Other architectures use other numbers for the same calls.
  [RETURN, 0, 0, KILL],
  [LOAD, 0, 0, CALL_AT],
  ...refused.map((call, at): Instruction => [JUMP_IF_EQUAL, refused.length - at + FAMILIES.length + 1, 0, call]),
  [JUMP_IF_EQUAL, 0, FAMILIES.length + 2, socket],
  [LOAD, 0, 0, FIRST_ARGUMENT_AT],
  ...FAMILIES.map((family, at): Instruction => [JUMP_IF_EQUAL, FAMILIES.length - at, 0, family]),
  [RETURN, 0, 0, REFUSE],
  [RETURN, 0, 0, ALLOW],
];

/** Writes the filter to this file; returns false if there is none for this machine. */
export function writeCallFilter(file: string): boolean {
  const arch = platform.name === 'linux' ? BY_ARCH[process.arch] : undefined;
  if (arch === undefined) return false;
  const program = programFor(arch);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  writeFileSync(file, bytes, { mode: 0o600 });
  return true;
}
