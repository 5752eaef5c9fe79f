export { wireInput, wireOutput } from './dialects/wire.js';
