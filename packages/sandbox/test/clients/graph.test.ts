import { graphClient } from './graph/client.js';
import { failures } from './graph/failures.js';
import { files } from './graph/files.js';
import { sites } from './graph/sites.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

const SCOPE = 'offline_access Sites.ReadWrite.All Files.ReadWrite.All User.Read';

const LINK = 'the links of answers that lead back to the service (item 2)';

runBattery('The Microsoft Graph client', {
  ...waysTo('filesite', graphClient, { params: { scope: SCOPE } }),
  waiting: {
    'GET sites, the next page': LINK,
    'GET sites, every page': LINK,
    'GET children, the next page': LINK,
    'GET changes, the next page': LINK,
    'GET changes, since then': LINK,
  },
  operations: [...sites, ...files, ...failures],
});
