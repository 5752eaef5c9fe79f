import { redirect } from 'next/navigation';
import { svc, user } from '../calendar';

/** Sends the browser to the authorization link. A link is valid once, so each visit gets a new one. */
export async function GET(): Promise<never> {
  const { link } = await svc.getAuthorizationLink(user);
  redirect(link);
}
