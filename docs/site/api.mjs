// Writes the API reference: the package's exports with their docstrings, as pages of Markdown.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Application, ReflectionKind } from 'typedoc';
import { root } from '../../cpp/toolchain/use.mjs';
import { asProgram, isOwning, runsInPages } from '../examples.mjs';

/** Sources whose exports a page lists, by page; the first that matches wins. */
const kPages = {
  Ownership: /^web\/src\/(owner\/|engine)/,
  Tensors: /^web\/src\/tensor\//,
  'Creating tensors': /ops\/(?:\w+\/)?(create|tensor_creation|random|complex|cosine_window|shapes)\.ts$/,
  'Elementwise ops': /ops\/(?:\w+\/)?(unary|binary|activations|bits|cast|add_n|where|softmax)\.ts$/,
  Matrices: /ops\/(?:\w+\/)?(linalg|einsum|norm|transpose|matmul)\.ts$/,
  'Convolution and pooling': /ops\/(?:\w+\/)?(conv|pool|conv3d|batch_norm|dilation_lrn|recurrent)\.ts$/,
  'Reductions and sorting': /ops\/(?:\w+\/)?(reduce|sort|cumulative|async_ops)\.ts$/,
  'Shapes, slices and joins':
    /ops\/(?:\w+\/)?(reshape|slice|concat|split|pad|reverse|tile|batch_to_space|gather|scatter|ragged)\.ts$/,
  'Other ops': /^web\/src\/ops\//,
  Models: /^web\/src\/models\//,
  Training: /^web\/src\/train\//,
  'Finding leaks': /^web\/src\/(debug\/|profile)/,
  'Loading, backends and errors': /^web\/src\/(runtime|device)\//,
  'Everything else': /./,
};
const kOrder = [ReflectionKind.Class, ReflectionKind.Function, ReflectionKind.Interface, ReflectionKind.TypeAlias];

/** Writes the pages into a folder, and returns the side bar's entries. */
export async function writeApi(folder) {
  const app = await Application.bootstrap({
    entryPoints: [path.join(root, 'web/src/index.ts')],
    tsconfig: path.join(root, 'tsconfig.json'),
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    disableGit: true,
    sourceLinkTemplate: '{path}',
    basePath: root,
    logLevel: 'Error',
  });
  const project = await app.convert();
  mkdirSync(folder, { recursive: true });
  const pages = Object.entries(contents(project)).map(([title, { intro, members }]) => ({
    title,
    file: slug(title),
    intro,
    members,
  }));
  const places = new Map(
    pages.flatMap(({ file, members }) => members.map((member) => [member, `./${file}.md#${anchor(member.name)}`])),
  );
  const functions = new Map(
    [...places].filter(([member]) => member.parent === project).map(([member, place]) => [member.name, place]),
  );
  for (const { title, file, intro, members } of pages) {
    writeFileSync(
      path.join(folder, `${file}.md`),
      [`# ${title}`, intro, ...members.map((member) => section(member, 2, functions))].filter(Boolean).join('\n\n'),
    );
  }
  writeFileSync(path.join(folder, 'index.md'), overview(pages, places));
  writeFileSync(
    path.join(folder, 'sidebar.json'),
    JSON.stringify(pages.map(({ title, file }) => ({ text: title, link: `/api/${file}` }))),
  );
}

/** Returns the pages by title: those of kPages, and one for each namespace. */
function contents(project) {
  const pages = Object.fromEntries(Object.keys(kPages).map((title) => [title, { members: [] }]));
  for (const child of project.children) {
    if (child.kindOf(ReflectionKind.Reference)) continue;
    if (child.kindOf(ReflectionKind.Namespace)) {
      pages[`tf.${child.name}`] = { intro: comment(child.comment), members: sorted(child.children ?? []) };
      continue;
    }
    const file = child.sources?.[0]?.fileName ?? '';
    const [title] = Object.entries(kPages).find(([, sources]) => sources.test(file));
    pages[title].members.push(child);
  }
  for (const page of Object.values(pages)) page.members = sorted(page.members);
  return Object.fromEntries(Object.entries(pages).filter(([, { members }]) => members.length > 0));
}

function sorted(members) {
  const rank = ({ kind }) => (kind === ReflectionKind.Variable ? ReflectionKind.Function : kind);
  const place = (member) => (kOrder.indexOf(rank(member)) + kOrder.length + 1) % (kOrder.length + 1);
  return members
    .filter((member) => !member.kindOf(ReflectionKind.Reference))
    .toSorted((a, b) => place(a) - place(b) || a.name.localeCompare(b.name));
}

function overview(pages, places) {
  const lists = pages.map(({ title, file, members }) => {
    const names = members.map((member) => `[${plain(member.name)}](${places.get(member)})`);
    return `## [${title}](./${file}.md)\n\n${names.join(', ')}`;
  });
  const intro =
    'Every export of the package, with its docstrings. Names, argument forms and defaults are those of TensorFlow.js 4.22, whose documentation holds as well; [Compatibility](../compatibility.md) has what is missing, and [Differences](../differences.md) what differs. Examples run in the tests, and give what they say; they stand in a scope, but for those of ownership, which free what they make.';
  return ['# API', intro, ...lists].join('\n\n');
}

function section(member, level, functions) {
  const heading = `${'#'.repeat(level)} ${plain(member.name)} {#${anchor(member.name)}}`;
  const signatures = signaturesOf(member);
  const parts = [
    heading,
    fence(signatures.length > 0 ? signatures.map((one) => text(member.name, one)) : [declaration(member)]),
  ];
  const notes = [member.comment, ...signatures.map((one) => one.comment)].filter(Boolean).map(comment);
  parts.push(...new Set(notes));
  const parameters = signatures.flatMap(({ parameters = [] }) => parameters).filter(({ comment: said }) => said);
  parts.push(...parameters.map(({ name, comment: said }) => `- \`${name}\`: ${comment(said)}`));
  parts.push(...examplesOf(member).map((code) => example(code, ownsItsTensors(member))));
  if (member.kindOf([ReflectionKind.Class, ReflectionKind.Interface])) parts.push(...membersOf(member, functions));
  return parts.filter(Boolean).join('\n\n');
}

/** Returns methods and properties, a line each; methods that are ops link to the function's documentation. */
function membersOf(member, functions) {
  const seeAlso = ({ name }) =>
    member.name === 'Tensor' && functions.has(name) ? `<br>[tf.${name}()](${functions.get(name)}) of this tensor.` : '';
  return (member.children ?? [])
    .filter((child) => !child.inheritedFrom && !child.flags.isPrivate && !child.flags.isProtected)
    .map((child) => {
      const signatures = signaturesOf(child);
      const code =
        signatures.length > 0
          ? signatures.map((one) => text(one.name === '__type' ? child.name : one.name, one))
          : [declaration(child)];
      const said = child.comment ?? signatures.find(({ comment: one }) => one)?.comment ?? child.getSignature?.comment;
      return `- ${code.map((line) => `\`${line.replace(/\s+/g, ' ').replaceAll('`', "'")}\``).join('<br>')}${said ? `<br>${comment(said)}` : seeAlso(child)}${examplesOf(
        child,
      )
        .map((one) => `\n\n${indented(example(one, ownsItsTensors(member)))}`)
        .join('')}`;
    });
}

/** Returns the code of the examples in a member's docstrings. */
function examplesOf(member) {
  const comments = [member.comment, ...signaturesOf(member).map((one) => one.comment)].filter(Boolean);
  const tags = comments.flatMap(({ blockTags }) => blockTags).filter(({ tag }) => tag === '@example');
  const codes = tags.map(({ content }) => content.map(({ text: words }) => words).join(''));
  return [...new Set(codes.map((code) => code.replace(/^```\w*\n|\n```$/g, '')))];
}

function example(code, owns) {
  // VitePress rewrites links, and would leave line breaks in them.
  const program = Buffer.from(asProgram(code, owns)).toString('base64url');
  const link = runsInPages(code) ? `\n\n[Run it](../playground.md?code=${program})` : '';
  return `\`\`\`js\n${code}\n\`\`\`${link}`;
}

function ownsItsTensors(member) {
  return isOwning(member.sources?.[0]?.fileName ?? '');
}

function indented(lines) {
  return lines.replace(/^(?=.)/gm, '  ');
}

function signaturesOf(member) {
  return member.signatures ?? member.type?.declaration?.signatures ?? [];
}

function text(name, { parameters = [], type, typeParameters }) {
  const generics = typeParameters?.length ? `<${typeParameters.map((one) => one.name).join(', ')}>` : '';
  const list = parameters.map(({ name: parameter, type: of, flags, defaultValue }) => {
    const optional = flags.isOptional || defaultValue !== undefined;
    const value = defaultValue && defaultValue !== '...' ? ` = ${defaultValue}` : '';
    return `${flags.isRest ? '...' : ''}${parameter === '__namedParameters' ? 'options' : parameter}${optional && !value ? '?' : ''}: ${of}${value}`;
  });
  const line = `${name}${generics}(${list.join(', ')}): ${type}`;
  return line.length > 100 ? `${name}${generics}(\n${list.map((one) => `  ${one},\n`).join('')}): ${type}` : line;
}

function declaration(member) {
  if (member.kindOf(ReflectionKind.Class))
    return `class ${member.name}${member.extendedTypes ? ` extends ${member.extendedTypes.join(', ')}` : ''}`;
  if (member.kindOf(ReflectionKind.Interface)) return `interface ${member.name}`;
  if (member.kindOf(ReflectionKind.TypeAlias)) return `type ${member.name} = ${member.type}`;
  const type = member.type ?? member.getSignature?.type ?? 'unknown';
  return `${member.flags.isReadonly ? 'readonly ' : ''}${member.name}${member.flags.isOptional ? '?' : ''}: ${type}`;
}

function fence(lines) {
  return `\`\`\`ts\n${lines.join('\n')}\n\`\`\``;
}

/** Returns a docstring as Markdown that Vue compiles, escaped so that nothing is taken for a tag or an expression. */
function comment(said) {
  if (!said) return '';
  const parts = said.summary.map(({ kind, text: words }) => (kind === 'code' ? words : plain(words)));
  return parts.join('').trim();
}

function plain(words) {
  return words
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('{{', '&#123;&#123;')
    .replaceAll('*', '\\*')
    .replaceAll('_', '\\_')
    .replaceAll('[', '\\[')
    .replaceAll('](', ']\\(');
}

function slug(title) {
  return title
    .toLowerCase()
    .replace(/^tf\./, 'tf-')
    .replace(/[^a-z0-9]+/g, '-');
}

/** Returns the anchor of a name. Case matters: there is a scope(), and a Scope. */
function anchor(name) {
  return /^[A-Z]/.test(name) ? `class-${name}` : name;
}
