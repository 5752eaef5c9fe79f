import path from 'node:path';
import type { NextConfig } from 'next';

// Next.js needs the two settings to resolve the linked package @svc/calendar. Remove them in your project.
const root = path.resolve(import.meta.dirname, '../../..');

const config: NextConfig = { turbopack: { root }, outputFileTracingRoot: root };

export default config;
