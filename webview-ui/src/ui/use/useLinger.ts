import { useEffect, useState } from 'react';

/** Whether it is so, or was a moment ago: what comes and goes between two steps of one thing stays in sight. */
export function useLinger(is: boolean, ms: number): boolean {
  const [was, setWas] = useState(is);
  useEffect(() => {
    if (is) {
      setWas(true);
      return;
    }
    const timer = setTimeout(() => setWas(false), ms);
    return () => clearTimeout(timer);
  }, [is, ms]);
  return is || was;
}
