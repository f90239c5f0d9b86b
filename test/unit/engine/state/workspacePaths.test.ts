import { readdirSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openArtifacts } from '../../../../src/adapters/files/artifacts.ts';
import { nodeFiles } from '../../../../src/adapters/files/files.ts';
import { configDir, defaultJobsDir, runtimeDir } from '../../../../src/adapters/paths.ts';
import { LINUX } from '../../../../src/adapters/platform/linux.ts';
import { MACOS } from '../../../../src/adapters/platform/macos.ts';
import { WINDOWS } from '../../../../src/adapters/platform/windows.ts';
import { faultyFiles } from '../../../support/state/faultyFiles.ts';
import { stateFolder } from '../../../support/state/stateFolder.ts';

describe('artifacts', () => {
  it('are named by what they hold, written once, and checked when read', async () => {
    using folder = stateFolder();
    const artifacts = openArtifacts(folder.stateDir, nodeFiles);
    const name = await artifacts.put('output: ü\u0000\n');
    expect(await artifacts.put('output: ü\u0000\n')).toBe(name);
    expect(await artifacts.get(name)).toBe('output: ü\u0000\n');
    const place = join(folder.stateDir, 'artifacts');
    expect(readdirSync(place)).toEqual([name]);
    writeFileSync(join(place, name), 'something else');
    expect(await artifacts.get(name)).toBeNull();
    expect(await artifacts.put('output: ü\u0000\n')).toBe(name);
    expect(await artifacts.get(name)).toBe('output: ü\u0000\n');
    writeFileSync(join(folder.stateDir, 'secret.txt'), 'no');
    for (const bad of ['../secret.txt', '', name.toUpperCase(), `${'0'.repeat(64)}.txt`]) {
      expect(await artifacts.get(bad)).toBeNull();
    }
  });

  it('that cannot be written leave nothing behind', async () => {
    using folder = stateFolder();
    const faulty = faultyFiles();
    const artifacts = openArtifacts(folder.stateDir, faulty.ops);
    for (let n = 1; n <= 3; n++) {
      faulty.arm(n, 'ENOSPC');
      await expect(artifacts.put('text')).rejects.toMatchObject({ code: 'DISK' });
      expect(await nodeFiles.list(join(folder.stateDir, 'artifacts'))).toEqual([]);
    }
    expect(await artifacts.get(await artifacts.put('text'))).toBe('text');
  });
});

describe('folders', () => {
  it('come from our variables, then from XDG, then from the platform', () => {
    const own = {
      AUTONOMOUS_CONFIG_DIR: '/a',
      AUTONOMOUS_RUNTIME_DIR: '/b',
      XDG_CONFIG_HOME: '/c',
      XDG_RUNTIME_DIR: '/d',
    };
    expect([configDir(own), runtimeDir(own)]).toEqual(['/a', '/b']);
    const xdg = {
      XDG_CONFIG_HOME: '/c',
      XDG_RUNTIME_DIR: '/d',
      AUTONOMOUS_CONFIG_DIR: '',
      AUTONOMOUS_RUNTIME_DIR: 'relative',
    };
    expect([configDir(xdg), runtimeDir(xdg)]).toEqual([join('/c', 'autonomous'), join('/d', 'autonomous')]);
    expect(configDir({}, LINUX)).toBe(join(homedir(), '.config', 'autonomous'));
    expect(configDir({}, MACOS)).toBe(join(homedir(), 'Library', 'Application Support', 'autonomous'));
    expect(configDir({ APPDATA: 'C:\\roaming' }, WINDOWS)).toBe(join('C:\\roaming', 'autonomous'));
    expect(runtimeDir({}, LINUX).startsWith(join(tmpdir(), 'autonomous-'))).toBe(true);
    expect(runtimeDir({}, MACOS)).toBe(join(homedir(), '.autonomous', 'run'));
    expect(runtimeDir({ LOCALAPPDATA: 'C:\\local' }, WINDOWS)).toBe('C:\\local\\autonomous\\run');
    expect(defaultJobsDir()).toBe(join(homedir(), '.autonomous', 'jobs'));
  });
});
