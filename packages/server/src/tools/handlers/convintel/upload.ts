import type { Handlers } from '../../../generated/handlers.js';
import { invalidInput } from '../../invalid-input.js';
import { idIn, objectIn } from '../workspace/json.js';

const PATH = '/uploadActivity';

const NO_RECORDING = [
  'is missing: an upload without a recording is never sent.',
  'Give the public https address of the recording,',
  `or send the file itself through the proxy: POST ${PATH} as multipart/form-data,`,
  'with the same fields and a part named "file".',
].join(' ');

/** The upstream fetches the recording from its address; JSON could carry no file. */
export const uploadRecording: Handlers['convintel_activity_upload'] = async (input, send) => {
  if (input.recordingUrl === undefined) throw invalidInput('recordingUrl', 'required', NO_RECORDING);
  const answer = objectIn(await send({ method: 'POST', path: PATH, body: input }), 'an activity');
  return { id: idIn({ id: answer['id'] ?? answer['activityId'] }, 'an activity') };
};
