/** Linux. */
import { posix } from 'node:path';
import { POSIX } from './posix.ts';
import { BY_PROC, hasProc } from './process/byProc.ts';
import { byPs } from './process/byPs.ts';
import { openProcessCgroup } from './process/cgroup.ts';
import { MARKED_BY_PROC, MARKED_BY_PS, watchGroup } from './process/deathWatch.ts';
import type { Environment, Platform, Start } from './system.ts';
import { awakeByPowershell } from './windows.ts';

/** As BSD spells the options that show environments, which every `ps` of a Unix but macOS knows. */
const WIDE = 'eww';
const BY_WHAT_EXISTS = hasProc()
  ? { processes: BY_PROC, marked: MARKED_BY_PROC }
  : { processes: byPs([WIDE]), marked: MARKED_BY_PS(WIDE) };

export const LINUX: Platform = {
  ...POSIX,
  name: 'linux',
  gitCore: {},
  runtimeFolder: (_, { tmp, user }) => posix.join(tmp, `autonomous-${user}`),
  notifier: { program: 'notify-send', arguments: ({ title, message }) => ['--', title, message] },
  keepAwake: { program: 'systemd-inhibit', start: keepAwake },
  configFolder: (_, home) => posix.join(home, '.config'),
  processes: BY_WHAT_EXISTS.processes,
  watchDeath: (marker) => watchGroup(BY_WHAT_EXISTS.marked, marker),
  openCgroup: openProcessCgroup,
};

const WHY = 'Work is running';

function keepAwake(
  env: Environment,
  find: (name: string) => string | null,
  exists: (path: string) => boolean,
): Start | null {
  // The machine that sleeps is the one of Windows.
  if (env['WSL_DISTRO_NAME'] !== undefined) {
    return awakeByPowershell(find('/mnt/c/Windows/System32/WindowsPowerShell/v1.0/powershell.exe'));
  }
  const cat = find('cat');
  if (cat === null) return null;
  const desktop = env['XDG_CURRENT_DESKTOP'] ?? '';
  // GNOME ignores the locks of systemd.
  const gnome = desktop.split(':').includes('GNOME') ? find('gnome-session-inhibit') : null;
  if (gnome !== null) {
    const args = ['--app-id', 'Autonomous', '--reason', WHY, '--inhibit', 'suspend', cat];
    return { file: gnome, args, isVerbatim: false };
  }
  // A container may have the program without what it talks to.
  const file = exists('/run/systemd/system') ? find('systemd-inhibit') : null;
  if (file === null) return null;
  // A desktop suspends the machine itself, and `idle` would keep its screen on. Without one, `sleep` needs a password.
  const what = desktop === '' ? 'idle' : 'sleep';
  return { file, args: [`--what=${what}`, '--who=Autonomous', `--why=${WHY}`, '--mode=block', cat], isVerbatim: false };
}
