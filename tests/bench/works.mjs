import { graphWorks } from './graph_works.mjs';
import { modelWorks } from './model_works.mjs';
import { opWorks } from './op_works.mjs';
import { trainWorks } from './train_works.mjs';

export const works = [...opWorks, ...modelWorks, ...graphWorks, ...trainWorks];
