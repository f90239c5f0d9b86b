/** The settings of the terminal for a process that becomes the owner. */
import { expect, it } from 'vitest';
import { type Context, ownerSettings } from '../../../../src/terminal/screen/context.ts';

const settingsOf = (env: Readonly<Record<string, string>>) =>
  ownerSettings({ deps: { env }, allowedHosts: [] } as unknown as Context, 'all');

it.each([
  [{}, true],
  [{ AUTONOMOUS_KEEP_AWAKE: 'on' }, true],
  [{ AUTONOMOUS_KEEP_AWAKE: 'off' }, false],
])('keeps the machine awake, unless the environment says otherwise: %o', (env, expected) => {
  expect(settingsOf(env).keepAwake?.()).toBe(expected);
});

it('takes an empty AUTONOMOUS_KEEP_AWAKE for none', () => {
  expect(settingsOf({ AUTONOMOUS_KEEP_AWAKE: '' }).keepAwake?.()).toBe(true);
});

it.each(['0', 'no'])('refuses %o for AUTONOMOUS_KEEP_AWAKE', (value) => {
  expect(() => settingsOf({ AUTONOMOUS_KEEP_AWAKE: value })).toThrowError(/neither on nor off/);
});
