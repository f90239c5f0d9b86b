/** What identifies a machine, from what its system answers, and which processes of other machines can be seen from it. */
import { describe, expect, it } from 'vitest';
import { LINUX } from '../../../../src/adapters/platform/linux.ts';
import { ownMachine } from '../../../../src/adapters/platform/machine.ts';
import { MACOS } from '../../../../src/adapters/platform/macos.ts';
import type { Inquiry, Platform } from '../../../../src/adapters/platform/system.ts';
import { WINDOWS } from '../../../../src/adapters/platform/windows.ts';
import { type MachineMark, placeOf } from '../../../../src/core/state/processMark.ts';

const BOOT = '5c2a5d0e-7e1c-4d5b-9a3f-0f5a1d9c7b11';

/** Answers by the path, or by the program with its arguments; each program that is started is counted. */
function answers(texts: Readonly<Record<string, string>>, host = 'box'): Inquiry & { readonly started: string[] } {
  const started: string[] = [];
  return {
    started,
    file: (path) => texts[path] ?? '',
    link: (path) => texts[path] ?? '',
    output: (program, args) => {
      started.push(program);
      return texts[[program, ...args].join(' ')] ?? '';
    },
    host,
  };
}

const linux = (id: string, boot: string, space = 'pid:[4026531836]', host = 'box'): MachineMark =>
  LINUX.machineMark(
    answers({ '/etc/machine-id': id, '/proc/sys/kernel/random/boot_id': boot, '/proc/self/ns/pid': space }, host),
    {},
  );

const IOREG = 'ioreg -rd1 -c IOPlatformExpertDevice';
const BOOT_SESSION = 'sysctl -n kern.bootsessionuuid';
/** As a Mac prints it, without most of its lines. */
const device = (
  uuid: string,
): string => `+-o J316sAP  <class IOPlatformExpertDevice, id 0x100000227, registered, matched, active, busy 0 (8 ms), retain 41>
    {
      "IOPolledInterface" = "AppleARMWatchdogTimerHibernateHandler is not serializable"
      "manufacturer" = <"Apple Inc.">
      "IOPlatformSerialNumber" = "C02XXXXXXXXX"
      "IOPlatformUUID" = "${uuid}"
      "model" = <"MacBookPro18,1">
    }`;
const mac = (uuid: string, boot: string): MachineMark =>
  MACOS.machineMark(
    answers({
      [`/usr/sbin/${IOREG}`]: uuid === '' ? '' : device(uuid),
      [`/usr/sbin/${BOOT_SESSION}`]: boot,
    }),
    {},
  );

const QUERY = 'query HKLM\\SOFTWARE\\Microsoft\\Cryptography /v MachineGuid /reg:64';
/** As `reg.exe` prints it, also on a system in another language. */
const key = (guid: string): string =>
  `HKEY_LOCAL_MACHINE\\SOFTWARE\\Microsoft\\Cryptography\r\n    MachineGuid    REG_SZ    ${guid}`;
const windows = (guid: string, host = 'PC'): MachineMark =>
  WINDOWS.machineMark(answers({ [`D:\\Win\\System32\\reg.exe ${QUERY}`]: guid === '' ? '' : key(guid) }, host), {
    SYSTEMROOT: 'D:\\Win',
  });

const [ID, OTHER_ID] = ['3d1219c7c4c5404aaa1f6d2a48adfda4', '81b2f1ffeb8d4b9e9d3e0b7cf7c2a0e1'];
const [UUID, OTHER_UUID] = ['0A1B2C3D-4E5F-5061-8293-A4B5C6D7E8F9', 'FFFF2C3D-4E5F-5061-8293-A4B5C6D7E8F9'];
const GUID = '6f4d3b62-51a8-4c38-9a4a-2b0d5ec1b8a7';

describe('the identity of a machine', () => {
  it('is in files of Linux, so that no program is started', () => {
    const ask = answers({ '/etc/machine-id': ID });
    expect(LINUX.machineMark(ask, {})).toEqual({ machine: ID, host: 'box', boot: '', space: '' });
    expect(ask.started).toEqual([]);
  });

  it.each([
    ['uninitialized', 'build-7f9c', 'build-7f9c'],
    ['', '4f1c2a9be0d1', '4f1c2a9be0d1'],
    ['', 'localhost', ''],
    ['', 'localhost.localdomain', ''],
  ])('of Linux with the id "%s" on "%s" is "%s"', (id, host, machine) => {
    expect(linux(id, BOOT, '', host).machine).toBe(machine);
  });

  it('is what programs of macOS and Windows print, without a name that the network of a Mac changes', () => {
    expect(mac(UUID, BOOT)).toEqual({ machine: UUID, host: '', boot: BOOT, space: '' });
    expect(windows(GUID)).toEqual({ machine: GUID, host: 'PC', boot: '', space: '' });
  });

  it.each<[string, Platform]>([
    ['macOS', MACOS],
    ['Windows', WINDOWS],
  ])('is empty if %s does not answer as expected', (_, system) => {
    const broken: Inquiry = { file: () => 'x', link: () => 'x', output: () => 'ERROR: access is denied', host: '' };
    expect(system.machineMark(broken, {})).toMatchObject({ machine: '', boot: '' });
  });

  it('is known here', () => {
    const { machine, boot } = ownMachine();
    expect(`${machine}${boot}`).not.toBe('');
    expect(ownMachine()).toBe(ownMachine());
  });
});

describe('the owner of one folder', () => {
  const two = { [GUID]: windows(GUID), [ID]: linux(ID, BOOT) };
  it.each<[string, MachineMark, MachineMark, string]>([
    ['on the same Linux', linux(ID, BOOT), linux(ID, BOOT), 'here'],
    ['on the same Mac', mac(UUID, BOOT), mac(UUID, BOOT), 'here'],
    ['on the same Windows', windows(GUID), windows(GUID), 'here'],
    ['on the same Mac before it was started again', mac(UUID, 'a'.repeat(36)), mac(UUID, BOOT), 'past'],
    ['on the same Linux before it was started again', linux(ID, 'other'), linux(ID, BOOT), 'past'],
    ['on this Linux, as an older version names it', { machine: ID, boot: 'other', space: '' }, linux(ID, BOOT), 'past'],
    [
      'in another container of this machine',
      linux('', BOOT, 'pid:[1]', 'a'),
      linux('', BOOT, 'pid:[2]', 'b'),
      'hidden',
    ],
    ['in another distribution of one WSL', linux(ID, BOOT, 'pid:[1]'), linux(OTHER_ID, BOOT, 'pid:[2]'), 'hidden'],
    ['on Windows, seen from its WSL', windows(GUID, 'PC'), linux(ID, BOOT, 'pid:[1]', 'PC'), 'elsewhere'],
    ['in WSL, seen from its Windows', linux(ID, BOOT, 'pid:[1]', 'PC'), windows(GUID, 'PC'), 'elsewhere'],
    ['on another Mac', mac(OTHER_UUID, 'a'.repeat(36)), mac(UUID, BOOT), 'elsewhere'],
    ['on another Windows', windows('9'.repeat(36)), windows(GUID), 'elsewhere'],
    ['on a copy of this Windows', windows(GUID, 'PC-2'), windows(GUID, 'PC'), 'elsewhere'],
    ['on a copy of this Linux', linux(ID, 'other', '', 'b'), linux(ID, BOOT, '', 'a'), 'elsewhere'],
    [
      'in a container of one image on another machine',
      linux(ID, 'o', 'pid:[1]', 'a'),
      linux(ID, BOOT, 'p', 'b'),
      'elsewhere',
    ],
    [
      'on a Linux with a common name',
      linux('', 'other', '', 'localhost'),
      linux('', BOOT, '', 'localhost'),
      'elsewhere',
    ],
    ['on a Mac that does not answer, seen from one', mac('', ''), mac('', ''), 'elsewhere'],
    ['on a Windows that does not answer, seen from one', windows(''), windows(''), 'elsewhere'],
    ['on Linux, seen from Windows', two[ID] as MachineMark, two[GUID] as MachineMark, 'elsewhere'],
    ['of an older version on macOS or Windows', { machine: '', boot: '', space: '' }, mac(UUID, BOOT), 'elsewhere'],
    ['on this Mac, which names no start', mac(UUID, ''), mac(UUID, BOOT), 'here'],
  ])('%s', (_, one, own, place) => {
    expect(placeOf(one, own)).toBe(place);
  });
});
