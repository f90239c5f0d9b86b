/** The real worker thread, on the disk of the plan. */
import { layDisk } from './plan.ts';

layDisk('worker');
await import('../../../src/worker.ts');
