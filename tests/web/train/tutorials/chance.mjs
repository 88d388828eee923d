// Makes random numbers reproducible: the order of samples, and weights whose initializers have no seed.
import { makeRandom } from '../../../../examples/random.mjs';

Math.random = makeRandom(17);
