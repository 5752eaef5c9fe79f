export { type App, type AppOptions, createApp } from './assembly/app.js';
export { type Config, readConfig } from './config/config.js';
export { ERROR_STATUS, type ErrorCode, ServiceError } from './errors.js';
export { createLog, type Log } from './log/log.js';
