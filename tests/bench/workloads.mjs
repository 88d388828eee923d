import { graphWorkloads } from './graph_workloads.mjs';
import { modelWorkloads } from './model_workloads.mjs';
import { opWorkloads } from './op_workloads.mjs';
import { trainWorkloads } from './train_workloads.mjs';

export const workloads = [...opWorkloads, ...modelWorkloads, ...graphWorkloads, ...trainWorkloads];
