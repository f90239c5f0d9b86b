/** Keeps a short state visible for a moment longer. */
import { useEffect, useState } from 'react';

/** Whether `is` holds, or held a moment ago, so that a state that pauses briefly between two steps stays visible. */
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
