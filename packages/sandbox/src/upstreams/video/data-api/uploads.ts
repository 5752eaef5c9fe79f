import { refuse } from '../refusals.js';
import { CAPTIONS, WRITING } from '../scopes.js';
import type { Method } from './call.js';
import { OWNED, OWNED_CHANNEL } from './owner-parameters.js';

/** What comes without its file: that is sent to another address. */
export const uploadMethods: readonly Method[] = [
  {
    name: 'youtube.api.v3.V3DataVideoService.Insert',
    verb: 'POST',
    path: '/videos',
    scopes: WRITING,
    parameters: {
      part: 'texts',
      autoLevels: 'flag',
      notifySubscribers: 'flag',
      stabilize: 'flag',
      ...OWNED_CHANNEL,
    },
    needs: ['part'],
    units: 50,
    handle() {
      throw refuse(400, 'mediaBodyRequired', 'The request does not include the video content.');
    },
  },
  {
    name: 'youtube.api.v3.V3DataCaptionService.Insert',
    verb: 'POST',
    path: '/captions',
    scopes: CAPTIONS,
    parameters: { part: 'texts', onBehalfOf: 'text', sync: 'flag', ...OWNED },
    needs: ['part'],
    units: 50,
    handle() {
      throw refuse(400, 'contentRequired', 'The request does not contain the caption track contents.');
    },
  },
];
