/** The real worker thread under a meter. */
import { createMeter, meterDisk, meterPrograms, serveSums } from './meter.ts';

const meter = createMeter();
meterPrograms(meter);
meterDisk(meter);
serveSums(meter);
await import('../src/worker.ts');
