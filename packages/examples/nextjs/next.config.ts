import path from 'node:path';
import type { NextConfig } from 'next';

// The repository links @svc/calendar. With the package from npm, remove both settings.
const root = path.resolve(import.meta.dirname, '../../..');

const config: NextConfig = { turbopack: { root }, outputFileTracingRoot: root };

export default config;
