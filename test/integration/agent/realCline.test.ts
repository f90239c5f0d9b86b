import { demoBy } from '../../support/demo/realDemo.ts';

demoBy('cline', false);
