import { defineConfig } from 'vitest/config';

const globalSetup = ['./test/support/tempRoot.ts'];
const setupFiles = ['./test/support/env.ts'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/unit/**/*.test.ts'],
          globalSetup,
          setupFiles,
          // Property tests on a busy machine.
          testTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/integration/**/*.test.ts'],
          globalSetup,
          setupFiles,
          // Real git, real processes, real disks: few at a time, and patient. Three files: what waits leaves its core to another.
          maxWorkers: 3,
          maxConcurrency: 3,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'webview',
          expect: { poll: { timeout: 20_000 } },
          include: ['test/webview/**/*.test.ts'],
          globalSetup,
          setupFiles,
          // One browser at a time.
          maxWorkers: 1,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
