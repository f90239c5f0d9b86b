import { describe, expect, test } from 'vitest';
import { parseId, parseUsd } from '../../../../src/terminal/text/parse.ts';
import { visibleBlock, visibleLine } from '../../../../src/terminal/text/visible.ts';
import { displayWidth, truncate } from '../../../../src/terminal/text/width.ts';
import { amount } from '../../../support/suite/proof.ts';
import { anyCharacter, fc } from '../../../support/suite/property.ts';
import { terminalWorld } from '../../../support/world/terminalWorld.ts';

const VERBS = [
  'run',
  'plan',
  'show',
  'edit',
  'export',
  'dry-run',
  'preview',
  'board',
  'costs',
  'jobs',
  'job',
  'select',
  'pause',
  'resume',
  'cancel',
  'diff',
  'merge',
  'branch',
  'patch',
  'rollback',
  'retry',
  'approvals',
  'approve',
  'reject',
  'status',
  'note',
  'notes',
  'limits',
  'project',
  'list',
  'doctor',
  'demo',
  'help',
];
const OPTIONS = [
  '--json',
  '--project-dir',
  '--jobs-dir',
  '--file',
  '-f',
  '--resume',
  '--yes',
  '-y',
  '--gates',
  '--merge',
  '--setup',
  '--no-setup',
  '--budget',
  '--daily-limit',
  '--provider',
  '--scenario',
  '--job',
  '--choice',
  '--answer',
  '--feedback',
  '--category',
  '--global',
  '--line',
  '--ask',
  '--keep',
  '--daily',
  '--help',
  '--version',
  '--',
];

const word = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...VERBS) },
  { weight: 4, arbitrary: fc.constantFrom(...OPTIONS) },
  { weight: 1, arbitrary: fc.constantFrom('1', '0', '-1', '1e3', 'pending', 'none', 'anthropic', '') },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter }) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', '--__proto__', '--constructor=x') },
);

describe('random words', () => {
  test('never crash: an exit code, a message for a failure, JSON where it was asked for', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 7 }), async (argv) => {
        const world = await terminalWorld();
        const code = await world.run(...argv);
        expect([0, 1, 2, 3, 75]).toContain(code);
        if (code === 1 || code === 2 || code === 75) {
          const failedDoctor = world.err === '' && world.out !== '';
          expect(failedDoctor || world.err.startsWith('autonomous: ')).toBe(true);
        }
        expect(world.err).not.toMatch(/(?!\n)\p{Cc}/u);
        expect(world.open).toBe(0);
        const options = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length);
        if (!options.includes('--json') || code === 0) return;
        for (const line of world.out.trimEnd().split('\n')) JSON.parse(line);
      }),
      { numRuns: amount({ short: 100, long: 20000 }) },
    );
  });

  test('an id is digits only, whatever else it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCharacter }), fc.nat().map(String), fc.stringMatching(/^[+-]?\d*[.e]?\d*$/)),
        (text) => {
          let id: number | null = null;
          try {
            id = parseId(text, 'feature');
          } catch (thrown) {
            expect(thrown).toMatchObject({ code: 'USAGE' });
          }
          expect(id !== null).toBe(/^[0-9]{1,15}$/.test(text) && Number(text) > 0);
        },
      ),
    );
  });

  test('an amount is exact to the micro-dollar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (micro) => {
        const text = `${Math.floor(micro / 1e6)}.${String(micro % 1e6).padStart(6, '0')}`;
        expect(parseUsd(text, '--budget')).toBe(micro);
      }),
    );
    for (const text of ['', '-1', '1.', '.5', '1e3', '1,5', 'Infinity', '0x10', '1.0000001'])
      expect(() => parseUsd(text, '--budget')).toThrow(/is not an amount/);
  });
});

describe('text', () => {
  test('nothing unseen is left, and nothing seen is lost', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(visibleLine(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(visibleBlock(text)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
      }),
    );
    expect(visibleLine('  a\tb\r\n c ')).toBe('a b c');
    expect(visibleLine('żółć 数据 👍')).toBe('żółć 数据 👍');
    expect(visibleBlock('a\r\n\tb\u0007\ud800')).toBe('a\n  b<U+0007><U+D800>');
  });

  test('what is cut fits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(60), (text, width) => {
        expect(displayWidth(truncate(visibleLine(text), width))).toBeLessThanOrEqual(width);
      }),
    );
    expect(truncate('数据库迁移', 6)).toBe('数据…');
    expect(displayWidth('e\u0301')).toBe(1);
  });
});
