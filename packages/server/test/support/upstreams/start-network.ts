import { type Network, network } from '@svc/network';
import { type Application, signIn } from '../service/application.js';
import { connectAccount, type Service, startService } from '../service/service.js';
import { recordTools, type ToolRecord } from '../tools/record-tools.js';

export interface NetworkService {
  readonly service: Service;
  readonly application: Application;
  readonly accountId: string;
  readonly record: ToolRecord;
  readonly tools: Network;
  stop(): Promise<void>;
}

/** Starts the service and a sandbox of the professional network, with an account that has all three credentials. */
export async function startNetwork(): Promise<NetworkService> {
  const service = await startService({ connectors: ['network'] });
  const application = await signIn(service);
  const record = recordTools(service, 'network');
  const account = await connectAccount(service, 'network');
  return {
    service,
    application,
    accountId: account.id,
    record,
    tools: network(record, account),
    stop: () => service.stop(),
  };
}
