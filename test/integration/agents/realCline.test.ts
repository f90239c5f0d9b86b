import { demoBy } from '../../support/realDemo.ts';

demoBy('cline', false);
