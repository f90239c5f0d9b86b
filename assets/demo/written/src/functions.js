/** The functions a formula may call. Each gets one list of values: ranges are already spread out. */
import { CellError } from './cellError.js';

const numbers = (values) => values.filter((value) => typeof value === 'number');
const total = (values) => numbers(values).reduce((sum, value) => sum + value, 0);

/** As in other spreadsheets, it is 0 when there is no number. */
function extreme(pick, values) {
  return numbers(values).reduce((best, value) => pick(best, value), numbers(values)[0] ?? 0);
}

export const FUNCTIONS = {
  SUM: total,

  COUNT: (values) => numbers(values).length,

  AVERAGE(values) {
    const count = numbers(values).length;
    if (count === 0) throw new CellError('#DIV/0!', 'there is no number to average');
    return total(values) / count;
  },

  MIN: (values) => extreme(Math.min, values),

  MAX: (values) => extreme(Math.max, values),

  /** ROUND(value, digits after the point) */
  ROUND([value, digits = 0]) {
    if (typeof value !== 'number') throw new CellError('#VALUE!', 'ROUND needs a number');
    if (!Number.isInteger(digits) || digits < 0 || digits > 9) {
      throw new CellError('#VALUE!', 'ROUND keeps 0 to 9 digits');
    }
    return Number(value.toFixed(digits));
  },
};
