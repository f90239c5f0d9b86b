/** The page on the fake bridge, as one classic script: a browser opens it from the disk. */
import './fake.ts';
import '../src/main.tsx';
