/** Where a project may be asked to work, and where nobody may. */
import { describe, expect, it } from 'vitest';
import { checkWorkdir, type WorkdirPorts, workdirFault } from '../../../../src/engine/project/workdir.ts';
import { failure } from '../../../../src/shared/errors.ts';

const HOME = '/home/me';
const WORKSPACE = `${HOME}/app`;

/** Folders that are there, each with the top of its repository; a link has the folder that it leads to. */
function disk(
  tops: Readonly<Record<string, string | null>>,
  links: Readonly<Record<string, string>> = {},
): WorkdirPorts {
  return {
    realPath: async (path) => links[path] ?? (path in tops ? path : null),
    topOf: async (path) => {
      const top = tops[path] ?? null;
      if (top === null) throw failure('NOT_A_REPOSITORY', `${path} is no git repository`);
      return top;
    },
    isTop: async (path) => tops[path] === path,
    places: {
      projectDir: WORKSPACE,
      stateDir: `${WORKSPACE}/.autonomous`,
      jobsDir: `${HOME}/.autonomous/jobs/app`,
      configDir: `${HOME}/.config/autonomous`,
      home: HOME,
    },
  };
}

describe('a workdir', () => {
  it.each([
    ['its top', '/code/api', '/code/api'],
    ['a folder inside', '/code/api/src', '/code/api'],
    ['a way from home', '~/api', `${HOME}/api`],
    ['a link', '/link', '/code/api'],
    ['a name that begins with dots', `${HOME}/..app`, `${HOME}/..app`],
    ['the workspace', WORKSPACE, null],
    ['a folder of the workspace', `${WORKSPACE}/src`, null],
  ])('is taken by %s', async (_, path, expected) => {
    const ports = disk(
      {
        '/code/api': '/code/api',
        '/code/api/src': '/code/api',
        [`${HOME}/api`]: `${HOME}/api`,
        [`${HOME}/..app`]: `${HOME}/..app`,
        [WORKSPACE]: WORKSPACE,
        [`${WORKSPACE}/src`]: WORKSPACE,
      },
      { '/link': '/code/api' },
    );
    expect(await checkWorkdir(ports, path)).toBe(expected);
  });

  it.each([
    ['/', '/', 'the root of the file system'],
    ['~', HOME, 'it holds the home folder'],
    ['/home', '/home', 'it holds the home folder'],
    [`${HOME}/dotfiles`, HOME, `its repository is ${HOME}, and it holds the home folder`],
    [`${WORKSPACE}/.autonomous/projects/other/memory`, WORKSPACE, 'it overlaps the state folder of Autonomous'],
    [
      `${HOME}/.autonomous/jobs/app/1/clone`,
      `${HOME}/.autonomous/jobs/app/1/clone`,
      'it overlaps the folder of job clones',
    ],
    [`${HOME}/.autonomous`, `${HOME}/.autonomous`, 'it overlaps the folder of job clones'],
    [`${HOME}/.config`, `${HOME}/.config`, 'it overlaps the folder of Autonomous keys'],
    // A file system may take these for the same folders.
    ['/Home', '/Home', 'it holds the home folder'],
    [`${HOME}/.CONFIG/autonomous`, `${HOME}/.CONFIG/autonomous`, 'it overlaps the folder of Autonomous keys'],
    [`${HOME}/.autonomous/Jobs/app/1`, `${HOME}/.autonomous/Jobs/app/1`, 'it overlaps the folder of job clones'],
    ['api', 'api', 'it is not an absolute path'],
    ['../api', '../api', 'it is not an absolute path'],
  ])('is not %s', async (path, top, why) => {
    const given = path === '~' ? HOME : path;
    await expect(checkWorkdir(disk({ [given]: top }), path)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(why),
    });
  });

  it('is there, and a repository', async () => {
    await expect(checkWorkdir(disk({}), '/gone')).rejects.toThrow('it does not exist');
    await expect(checkWorkdir(disk({ '/plain': null }), '/plain')).rejects.toMatchObject({ code: 'NOT_A_REPOSITORY' });
  });

  it('that leads into the state by a link is seen through', async () => {
    const ports = disk({}, { '/link': `${WORKSPACE}/.autonomous` });
    await expect(checkWorkdir(ports, '/link')).rejects.toThrow('it overlaps the state folder of Autonomous');
  });
});

it('a workdir that was taken is looked at again: gone, replaced by a link, no repository any more', async () => {
  const top = '/code/api';
  expect(await workdirFault(disk({ [top]: top }), top)).toBeNull();
  expect(await workdirFault(disk({}), top)).toEqual({ for: 'workdir', what: '/code/api is missing' });
  expect(await workdirFault(disk({}, { [top]: '/etc' }), top)).toEqual({
    for: 'workdir',
    what: '/code/api is another folder now: /etc',
  });
  expect(await workdirFault(disk({ [top]: null }), top)).toEqual({
    for: 'workdir',
    what: '/code/api is not a git repository any more',
  });
});
