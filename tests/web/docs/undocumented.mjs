// The public fields and parameters of the package that have no sentence in a docstring.
import path from 'node:path';
import ts from 'typescript';
import { root } from '../../../cpp/toolchain/use.mjs';

const kSources = path.join(root, 'web/src') + path.sep;
/** Functions of fewer parameters say what these are in their own sentence. */
const kMinParameters = 3;

/**
 * Returns what has no sentence of the public API of a module, "file: Interface.field" or "file: function(parameter)", each
 * once: fields of the interfaces, classes and type literals that its exports are or refer to, and parameters of functions,
 * methods and constructors of three or more. `entry` is the module's path. Declarations outside its folder, or outside
 * web/src, do not count.
 */
export function findUndocumented(entry) {
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram([entry, path.join(root, 'web/src/globals.d.ts')], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const folder = entry.startsWith(kSources) ? kSources : path.dirname(entry) + path.sep;
  const missing = new Set();
  const visited = new Set();
  visitSymbol(checker.getSymbolAtLocation(program.getSourceFile(entry)));
  return [...missing].sort();

  function visitSymbol(symbol) {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    if (visited.has(target)) return;
    visited.add(target);
    if (target.flags & ts.SymbolFlags.ValueModule) checker.getExportsOfModule(target).forEach(visitSymbol);
    for (const declaration of target.declarations ?? []) visitDeclaration(declaration, target);
  }

  function visitDeclaration(node, symbol) {
    const isOwn =
      node.getSourceFile().fileName.startsWith(folder) &&
      !ts.isSourceFile(node) &&
      !ts.isTypeParameterDeclaration(node);
    if (!isOwn || isHidden(node)) return;
    if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)) {
      node.heritageClauses?.forEach((clause) => clause.types.forEach((type) => visitNode(type, symbol.name)));
      node.members.forEach((member) => visitMember(member, symbol.name));
    } else if (ts.isTypeAliasDeclaration(node)) {
      visitNode(node.type, symbol.name);
    } else if (ts.isFunctionDeclaration(node)) {
      visitSignature(node, node, symbol.name);
    } else if (ts.isVariableDeclaration(node)) {
      visitVariable(node, symbol);
    }
  }

  /** A constant is a function, an object of functions or fields, or a value whose type may have fields. */
  function visitVariable(node, symbol) {
    if (node.type) visitNode(node.type, symbol.name);
    if (node.initializer) visitValue(node.initializer, node, symbol.name);
    else visitType(checker.getTypeAtLocation(node));
  }

  /** Visits the value of a constant or of a property of an object. */
  function visitValue(value, declaration, name) {
    if (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) visitSignature(value, declaration, name);
    else if (ts.isObjectLiteralExpression(value) || ts.isAsExpression(value))
      visitObject(checker.getTypeAtLocation(value), name);
    else if (ts.isIdentifier(value)) visitSymbol(checker.getSymbolAtLocation(value));
    else visitCallable(declaration, name);
  }

  function visitObject(type, name) {
    for (const property of type.getProperties()) {
      for (const declaration of property.declarations ?? []) {
        if (!declaration.getSourceFile().fileName.startsWith(folder)) continue;
        if (ts.isShorthandPropertyAssignment(declaration))
          visitSymbol(checker.getShorthandAssignmentValueSymbol(declaration));
        else if (ts.isMethodDeclaration(declaration))
          visitSignature(declaration, declaration, `${name}.${property.name}`);
        else if (ts.isPropertyAssignment(declaration))
          visitValue(declaration.initializer, declaration, `${name}.${property.name}`);
      }
    }
  }

  /** Visits a function that a call returns. Only the constant's docstring can document the parameters of its signatures. */
  function visitCallable(node, name) {
    for (const signature of checker.getTypeAtLocation(node).getCallSignatures()) {
      const { declaration } = signature;
      if (!declaration || !declaration.getSourceFile().fileName.startsWith(folder)) continue;
      requireParameters(declaration, [node, declaration], name);
      declaration.parameters.forEach((parameter) => parameter.type && visitNode(parameter.type, name));
      if (declaration.type) visitNode(declaration.type, name);
    }
    visitType(checker.getTypeAtLocation(node));
  }

  function visitMember(member, owner) {
    if (isHidden(member) || isImplementation(member) || isInherited(member)) return;
    if (ts.isConstructorDeclaration(member)) {
      visitSignature(member, member, `new ${owner}`);
      member.parameters.filter(isPublicField).forEach((field) => {
        if (!isDocumented(field)) report(field, `${owner}.${field.name.getText()}`);
      });
      return;
    }
    const name = member.name ? `${owner}.${member.name.getText()}` : owner;
    const isField = ts.isPropertySignature(member) || ts.isPropertyDeclaration(member) || ts.isGetAccessor(member);
    const isFunction = member.type && ts.isFunctionTypeNode(member.type);
    if (isField && !isDocumented(member)) report(member, name);
    if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member) || ts.isCallSignatureDeclaration(member))
      visitSignature(member, member, name);
    else if (isFunction) visitSignature(member.type, member, name);
    else if (member.type) visitNode(member.type, name);
    else if (isField && member.initializer && ts.isArrowFunction(member.initializer))
      visitSignature(member.initializer, member, name);
    else if (isField) visitType(checker.getTypeAtLocation(member));
  }

  /** True if a base class or interface, or another part of an intersection, declares the member: it counts there. */
  function isInherited(member) {
    const { parent } = member;
    if (!member.name) return false;
    if (ts.isTypeLiteralNode(parent)) {
      const others = ts.isIntersectionTypeNode(parent.parent)
        ? parent.parent.types.filter((part) => part !== parent)
        : [];
      return others.some((part) => checker.getTypeAtLocation(part).getProperty(member.name.getText()) !== undefined);
    }
    const isStatic = (ts.getCombinedModifierFlags(member) & ts.ModifierFlags.Static) !== 0;
    const bases = (parent.heritageClauses ?? []).flatMap((clause) => [...clause.types]);
    return bases.some((base) => {
      const type = isStatic ? checker.getTypeAtLocation(base.expression) : checker.getTypeAtLocation(base);
      return type.getProperty(member.name.getText()) !== undefined;
    });
  }

  function visitSignature(node, documented, name) {
    requireParameters(node, [documented], name);
    node.parameters.forEach((parameter) => {
      if (!parameter.type) return;
      visitNode(parameter.type, `${name}(${parameter.name.getText()})`);
    });
    if (node.type) visitNode(node.type, name);
    else visitType(checker.getReturnTypeOfSignature(checker.getSignatureFromDeclaration(node)));
  }

  /** A type that is inferred has no node to walk. */
  function visitType(type) {
    for (const part of type.isUnionOrIntersection()
      ? type.types
      : [type, ...(checker.getTypeArguments?.(type) ?? [])]) {
      const symbol = part.aliasSymbol ?? part.symbol;
      if (symbol?.declarations?.some((node) => ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node)))
        visitSymbol(symbol);
    }
  }

  /** Visits a type. Constants that it queries with `typeof` are not public by that. */
  function visitNode(node, owner) {
    if (ts.isTypeLiteralNode(node)) {
      node.members.forEach((member) => visitMember(member, owner));
      return;
    }
    if (ts.isFunctionTypeNode(node)) {
      node.parameters.forEach((parameter) => parameter.type && visitNode(parameter.type, owner));
      visitNode(node.type, owner);
      return;
    }
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isExpressionWithTypeArguments(node)
        ? node.expression
        : undefined;
    const symbol = name && checker.getSymbolAtLocation(name);
    if (symbol) visitSymbol(symbol);
    ts.forEachChild(node, (child) => visitNode(child, owner));
  }

  function requireParameters(node, documented, name) {
    const parameters = node.parameters.filter((parameter) => parameter.name.getText() !== 'this');
    if (parameters.length < kMinParameters) return;
    const tags = documented.map(paramTags);
    parameters.forEach((parameter, i) => {
      // A destructured parameter has no name: its tag is the one at its index.
      const tagsOf = (all) =>
        ts.isIdentifier(parameter.name)
          ? all.filter((tag) => tag.name.getText() === parameter.name.text)
          : all.slice(i, i + 1);
      if (!tags.flatMap(tagsOf).some(({ comment }) => hasSentence(comment)))
        report(node, `${name}(${parameter.name.getText()})`);
    });
  }

  function report(node, name) {
    missing.add(`${path.relative(root, node.getSourceFile().fileName).replaceAll(path.sep, '/')}: ${name}`);
  }
}

function paramTags(node) {
  return ts.getJSDocCommentsAndTags(node).flatMap((doc) => (doc.tags ?? []).filter(ts.isJSDocParameterTag));
}

/** True if a docstring or, for a parameter, its tag has a sentence. */
function isDocumented(node) {
  return ts.getJSDocCommentsAndTags(node).some(({ comment }) => hasSentence(comment));
}

function hasSentence(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? '').trim() !== '';
}

/** True for a parameter of a constructor that declares a public field. */
function isPublicField(parameter) {
  return ts.isParameterPropertyDeclaration(parameter, parameter.parent) && !isHidden(parameter);
}

/** True if a member implements overloads: they are public, and it is not. */
function isImplementation(member) {
  if (member.body === undefined) return false;
  const isOverload = (other) =>
    other.kind === member.kind && other.body === undefined && other.name?.getText() === member.name?.getText();
  return (
    (ts.isConstructorDeclaration(member) || ts.isMethodDeclaration(member)) &&
    member.parent.members?.some(isOverload) === true
  );
}

/** Private, protected and internal members are not public. */
function isHidden(node) {
  const modifiers = ts.getCombinedModifierFlags(node);
  return (
    (modifiers & (ts.ModifierFlags.Private | ts.ModifierFlags.Protected)) !== 0 ||
    (node.name !== undefined && ts.isPrivateIdentifier(node.name)) ||
    ts.getJSDocTags(node).some((tag) => tag.tagName.text === 'internal')
  );
}
