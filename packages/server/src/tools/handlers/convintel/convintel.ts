import { invalidField } from '../../../errors.js';
import type { Handlers } from '../../../generated/handlers.js';
import { idIn, objectIn } from '../json.js';

const PATH = '/uploadActivity';

const NO_RECORDING = [
  'is missing, and an upload needs a recording.',
  'Set it to the public https URL of the recording,',
  `or send the file itself through the proxy: POST ${PATH} as multipart/form-data,`,
  'with the same fields and a part named "file".',
].join(' ');

/** Uploads a recording by its URL: the upstream downloads the recording from this URL. */
const uploadRecording: Handlers['convintel_activity_upload'] = async (input, send) => {
  if (input.recordingUrl === undefined) throw invalidField('recordingUrl', 'required', NO_RECORDING);
  const activity = objectIn(await send({ method: 'POST', path: PATH, body: input }), 'an activity');
  return { id: idIn({ id: activity['id'] ?? activity['activityId'] }, 'an activity') };
};

export const convintel: Pick<Handlers, Extract<keyof Handlers, `convintel_${string}`>> = {
  // Handler code, because a JSON tool definition cannot refuse an upload without the URL of a recording. The error
  // tells the caller to upload a local file through the proxy.
  convintel_activity_upload: uploadRecording,
};
