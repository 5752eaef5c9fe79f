import type { Upstream } from '../upstream.js';
import { calendar } from './calendar/calendar.js';
import { convintel } from './convintel/convintel.js';
import { filesite } from './filesite/filesite.js';
import { network } from './network/network.js';
import { notesmcp } from './notesmcp/notesmcp.js';
import { scrapermcp } from './scrapermcp/scrapermcp.js';
import { video } from './video/video.js';
import { workspace } from './workspace/workspace.js';

export const UPSTREAMS: readonly Upstream[] = [
  workspace,
  calendar,
  convintel,
  filesite,
  notesmcp,
  scrapermcp,
  video,
  network,
];
