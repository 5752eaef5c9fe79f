import { owner, stage } from './visit.ts';

const subject = (name: string): string => stage().subjects[name] ?? '';

/** A call that waits for a person, of an ad that no other test asks for. */
export async function askForAd(): Promise<{ readonly id: string; readonly run: () => Promise<unknown> }> {
  const { call } = await owner();
  const body = { connectedAccountId: subject('accountId'), toolInput: { ad_id: crypto.randomUUID() } };
  const run = () =>
    call('POST', `/applications/${subject('applicationId')}/tools/network_ad_get/execute`, body);
  const refused = await run().catch(String);
  return { id: /appr_[0-9a-f]{24}/.exec(String(refused))?.[0] ?? '', run };
}
