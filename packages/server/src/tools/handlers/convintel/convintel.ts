import type { Handlers } from '../../../generated/handlers.js';
import { uploadRecording } from './upload.js';

export const convintel: Pick<Handlers, Extract<keyof Handlers, `convintel_${string}`>> = {
  // Refuses an upload without a recording in words that lead to the proxy, where the file itself can be sent.
  convintel_activity_upload: uploadRecording,
};
