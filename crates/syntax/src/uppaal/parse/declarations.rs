//! Declarations: variables, types, functions, channel priorities, imports.

use super::lexer::Kind;
use super::primary::unquote;
use super::{Parse, Parser};
use crate::uppaal::tree::{
    ChannelPriority, Decl, Declarator, Function, Ident, Import, Initialiser, Instantiation, Param, Prefix,
    PriorityItem, Syntax, Type, TypeBase, Typedef, Variables,
};

impl Parser<'_> {
    /// Parses declarations up to something else. Broken ones are left out.
    pub(super) fn declaration_list(&mut self) -> Vec<Decl> {
        let mut items = Vec::new();
        loop {
            let start = self.at;
            match self.kind() {
                Kind::End | Kind::System | Kind::Process => return items,
                Kind::State | Kind::Commit | Kind::Init | Kind::Trans => return items,
                Kind::Semicolon => self.stray_semicolon(),
                Kind::CloseBrace => {
                    self.unexpected("a declaration");
                    self.bump();
                }
                _ => match self.declaration() {
                    Ok(item) => items.push(item),
                    Err(_) => self.resync(start),
                },
            }
        }
    }

    fn stray_semicolon(&mut self) {
        let token = self.bump();
        let span = self.token_span(token);
        self.warning("stray-semicolon", span, "this `;` ends nothing").help("remove it");
    }

    /// Parses any declaration.
    pub(super) fn declaration(&mut self) -> Parse<Decl> {
        let token = self.token();
        match token.kind {
            Kind::Typedef => self.typedef(),
            Kind::Chan if self.peek(1) == Kind::Priority => self.channel_priority(),
            Kind::BeforeUpdate | Kind::AfterUpdate => {
                self.context.modern = true;
                self.bump();
                let open = self.expect(Kind::OpenBrace, "`{`")?;
                let list = self.expression_list();
                self.close(open, Kind::CloseBrace, "`,`, `}` or an operator")?;
                let span = self.span_from(token.start);
                Ok(if token.kind == Kind::BeforeUpdate {
                    Decl::BeforeUpdate(list, span)
                } else {
                    Decl::AfterUpdate(list, span)
                })
            }
            Kind::Word if matches!(self.peek(1), Kind::Assign | Kind::OpenParen) => self.instantiation(),
            Kind::Word if self.word(0) == "import" && self.peek(1) == Kind::String => self.import(),
            Kind::Word if self.word(0) == "dynamic" && self.peek(2) == Kind::OpenParen => self.dynamic(),
            _ if self.is_type_start() => self.variables_or_function(),
            _ => Err(self.unexpected("a declaration")),
        }
    }

    /// Parses declarations that may stand in a function: variables and types.
    pub(super) fn local_declaration(&mut self) -> Parse<Decl> {
        if self.kind() == Kind::Typedef { self.typedef() } else { self.variables_or_function() }
    }

    /// Parses `typedef T a, b[3];`.
    fn typedef(&mut self) -> Parse<Decl> {
        self.context.modern = true;
        let start = self.bump().start;
        let ty = self.ty()?;
        let mut names = Vec::new();
        loop {
            let name = self.declare("the name of the type")?;
            let dims = self.dims()?;
            names.push(Declarator { name, dims });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,`, `[` or `;`")?;
        Ok(Decl::Typedef(Typedef { ty, names, span: self.span_from(start) }))
    }

    fn variables_or_function(&mut self) -> Parse<Decl> {
        let start = self.token().start;
        if self.is_old_constant() {
            return self.old_constants();
        }
        let ty = self.ty()?;
        if self.is_name() && self.peek(1) == Kind::OpenParen {
            return self.function(start, ty);
        }
        self.variables(start, ty)
    }

    fn variables(&mut self, start: u32, ty: Type) -> Parse<Decl> {
        let mut names = Vec::new();
        loop {
            match self.variable() {
                Ok(name) => names.push(name),
                Err(reported) => {
                    if !self.skip_to(&[Kind::Comma, Kind::Semicolon]) {
                        return Err(reported);
                    }
                }
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,`, `=`, `[` or `;`")?;
        Ok(Decl::Variables(Variables { ty, names, span: self.span_from(start) }))
    }

    fn variable(&mut self) -> Parse<(Declarator, Option<Initialiser>)> {
        let name = self.declare("a name")?;
        let dims = self.dims()?;
        let value = if self.eat(Kind::Assign) { Some(self.initialiser()?) } else { None };
        Ok((Declarator { name, dims }, value))
    }

    /// Parses a value, or values in braces.
    pub(super) fn initialiser(&mut self) -> Parse<Initialiser> {
        if self.kind() != Kind::OpenBrace {
            let stops = [Kind::Comma, Kind::Semicolon, Kind::CloseBrace];
            return Ok(Initialiser::Expr(self.expression_until(&stops)?));
        }
        self.nested(Self::initialiser_list)
    }

    fn initialiser_list(&mut self) -> Parse<Initialiser> {
        let open = self.bump();
        let mut list = Vec::new();
        loop {
            let label = if self.is_name() && self.peek(1) == Kind::Colon {
                let name = self.name_use("a field")?;
                self.bump();
                Some(name)
            } else {
                None
            };
            list.push((label, self.initialiser()?));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        if let Err(reported) = self.close(open, Kind::CloseBrace, "`,`, `}` or an operator") {
            if !self.skip_to(&[Kind::CloseBrace]) {
                return Err(reported);
            }
            self.bump();
        }
        Ok(Initialiser::List(list, self.span_from(open.start)))
    }

    /// Is this `const N 5`, the way of UPPAAL 3? Behind `const T x` comes a
    /// value, so something else makes `T` the constant and `x` its value.
    fn is_old_constant(&self) -> bool {
        if self.kind() != Kind::Const || self.peek(1) != Kind::Word {
            return false;
        }
        match self.peek(2) {
            Kind::Word if self.syntax == Syntax::Old => {
                !matches!(self.peek(3), Kind::Assign | Kind::OpenBracket | Kind::OpenParen)
            }
            kind => kind != Kind::Word,
        }
    }

    /// Parses `const N 5, M = 6, A[2] { 1, 2 };`.
    fn old_constants(&mut self) -> Parse<Decl> {
        let token = self.bump();
        let span = self.token_span(token);
        self.old_constant(span);
        let prefix = Prefix { constant: true, ..Prefix::default() };
        let ty = Type { prefix, base: TypeBase::Int(None), span };
        let mut names = Vec::new();
        loop {
            let name = self.declare("the name of the constant")?;
            let dims = self.dims()?;
            self.eat(Kind::Assign);
            let value = self.initialiser()?;
            names.push((Declarator { name, dims }, Some(value)));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,`, `;` or an operator")?;
        Ok(Decl::Variables(Variables { ty, names, span: self.span_from(token.start) }))
    }

    fn function(&mut self, start: u32, result: Type) -> Parse<Decl> {
        self.context.modern = true;
        let name = self.declare("the name of the function")?;
        let outer = (self.context.own, self.in_function);
        self.in_function = true;
        let parts = self.parameters_in_parentheses().and_then(|params| Ok((params, self.body()?)));
        (self.context.own, self.in_function) = outer;
        let (params, body) = parts?;
        Ok(Decl::Function(Function { result, name, params, body, span: self.span_from(start) }))
    }

    /// Parses `chan priority a < default < b, c[1];`.
    fn channel_priority(&mut self) -> Parse<Decl> {
        self.context.modern = true;
        let start = self.bump().start;
        self.bump();
        let mut levels = vec![Vec::new()];
        loop {
            let item = self.priority_item()?;
            levels.last_mut().expect("never empty").push(item);
            match self.kind() {
                Kind::Comma => {}
                Kind::Less => levels.push(Vec::new()),
                _ => break,
            }
            self.bump();
        }
        self.semicolon("`,`, `<`, `[` or `;`")?;
        Ok(Decl::ChannelPriority(ChannelPriority { levels, span: self.span_from(start) }))
    }

    fn priority_item(&mut self) -> Parse<PriorityItem> {
        let token = self.token();
        if self.eat(Kind::Default) {
            return Ok(PriorityItem::Default(self.token_span(token)));
        }
        if !self.is_name() {
            return Err(self.unexpected("a channel or `default`"));
        }
        // No operators: `<` separates levels here.
        Ok(PriorityItem::Channel(self.nested(Self::operand)?.expr))
    }

    /// Parses `import "lib" { int f(int x); };`, or a single function.
    fn import(&mut self) -> Parse<Decl> {
        self.context.modern = true;
        let start = self.bump().start;
        let library = unquote(self.slice(self.token()));
        self.bump();
        let mut functions = Vec::new();
        if self.kind() == Kind::OpenBrace {
            let open = self.bump();
            while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
                functions.push(self.imported()?);
            }
            self.close(open, Kind::CloseBrace, "a function or `}`")?;
            self.semicolon("`;`")?;
        } else {
            functions.push(self.imported()?);
        }
        Ok(Decl::Import(Import { library, functions, span: self.span_from(start) }))
    }

    /// Parses `int f(int x);` or `f = int g(int x);`.
    fn imported(&mut self) -> Parse<(Type, Ident, Vec<Param>)> {
        if self.is_name() && self.peek(1) == Kind::Assign {
            self.bump();
            self.bump();
        }
        let result = self.ty()?;
        let name = self.declare("the name of the function")?;
        let (own, in_function) = (self.context.own, self.in_function);
        self.in_function = true;
        let params = self.parameters_in_parentheses();
        (self.context.own, self.in_function) = (own, in_function);
        let params = params?;
        self.semicolon("`;`")?;
        Ok((result, name, params))
    }

    /// Parses `dynamic P(int x);`.
    fn dynamic(&mut self) -> Parse<Decl> {
        self.context.modern = true;
        let start = self.bump().start;
        let name = self.declare("the name of a template")?;
        let params = self.parameters_in_parentheses()?;
        self.semicolon("`;`")?;
        Ok(Decl::Dynamic(name, params, self.span_from(start)))
    }

    /// Parses `P1 = P(1);` or `Q(int[0,3] i) = P(i, 2);`.
    fn instantiation(&mut self) -> Parse<Decl> {
        let start = self.token().start;
        let name = self.declare("the name of the process")?;
        let params =
            if self.kind() == Kind::OpenParen { self.parameters_in_parentheses()? } else { Vec::new() };
        self.expect(Kind::Assign, "`=` and a template")?;
        let template = self.name_use("the name of a template")?;
        let args = self.arguments()?;
        self.semicolon("`;`")?;
        let span = self.span_from(start);
        Ok(Decl::Instantiation(Instantiation { name, params, template, args, span }))
    }

    pub(super) fn parameters_in_parentheses(&mut self) -> Parse<Vec<Param>> {
        let open = self.expect(Kind::OpenParen, "`(`")?;
        let params = self.parameter_list(Kind::CloseParen);
        self.close(open, Kind::CloseParen, "`,` or `)`")?;
        Ok(params)
    }
}
