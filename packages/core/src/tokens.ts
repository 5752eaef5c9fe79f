export { type NarrowerLimits, narrowToken } from './narrow-token.js';
export type { ArgumentLimit, ProxyLimit, TokenLimits } from './token-limits.js';
