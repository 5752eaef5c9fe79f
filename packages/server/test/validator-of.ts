import type { Tool, ToolVersion } from '@svc/catalog';
import { methodName } from '@svc/codegen/source';
import type { InputValidator } from '@svc/core/validate';

/** What the package of a tool's connector judges the inputs of a version with. */
export async function validatorOf(
  tool: Tool,
  { schema_version, status }: ToolVersion,
): Promise<InputValidator<unknown>> {
  const name = `${methodName(tool)}Input${status === 'current' ? '' : `V${schema_version.replaceAll('.', '_')}`}`;
  // Where it is built: a connector that is new is no dependency of the service's tests.
  const built = new URL(`../../connectors/${tool.connector}/dist/generated/validate.js`, import.meta.url);
  const { [name]: validator } = await import(built.href);
  if (validator === undefined) throw new Error(`@svc/${tool.connector}/validate has no ${name}`);
  return validator;
}
