/** The systems for which the extension is packed. VS Code installs the package of the system on which the extension runs. */

const FILTER = (arch) => `dist/vendor/seccomp/${arch}/apply-seccomp`;
const FILTERS = [FILTER('x64'), FILTER('arm64')];

/** By VS Code's name of the system: the file that only this package contains. The filter is linked statically, so Alpine runs it too. */
export const TARGETS = {
  'linux-x64': FILTER('x64'),
  'linux-arm64': FILTER('arm64'),
  'alpine-x64': FILTER('x64'),
  'alpine-arm64': FILTER('arm64'),
  'darwin-x64': null,
  'darwin-arm64': null,
  'win32-x64': null,
  'win32-arm64': null,
};

/** Files of other systems, which this package does not contain. */
export const leftOutOf = (target) => FILTERS.filter((file) => file !== TARGETS[target]);

/** Whether a package of Linux can be made here: the file system of Windows does not store that its filter is a program. */
export const canPack = (target, platform = process.platform) => platform !== 'win32' || TARGETS[target] === null;

/** Throws if no package is made for this system. */
export function targetOf({ platform, arch, isMusl }) {
  const target = `${platform === 'linux' && isMusl ? 'alpine' : platform}-${arch}`;
  if (!Object.hasOwn(TARGETS, target)) {
    throw new Error(
      `no package is made for ${target}; --target=NAME selects one of ${Object.keys(TARGETS).join(', ')}`,
    );
  }
  return target;
}

/** The target of this machine. */
export function ownTarget() {
  const isMusl = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime === undefined;
  return targetOf({ platform: process.platform, arch: process.arch, isMusl });
}
