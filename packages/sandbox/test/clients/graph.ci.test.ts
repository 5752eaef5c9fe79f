import { graphClient } from './graph/client.js';
import { failures } from './graph/failures.js';
import { files } from './graph/files.js';
import { sites } from './graph/sites.js';
import { runBattery } from './support/battery.js';
import { waysTo } from './support/ways.js';

const SCOPE = 'offline_access Sites.ReadWrite.All Files.ReadWrite.All User.Read';

runBattery('The Microsoft Graph client', {
  ...waysTo('filesite', graphClient, { params: { scope: SCOPE } }),
  operations: [...sites, ...files, ...failures],
});
