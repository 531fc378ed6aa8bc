//! Types, array dimensions, parameters.

use super::lexer::Kind;
use super::{Parse, Parser};
use crate::Span;
use crate::uppaal::tree::{Declarator, Dim, Field, Param, Prefix, Select, Syntax, Type, TypeBase};

impl Parser<'_> {
    /// Can a type start here? Any name may be one.
    pub(super) fn is_type_start(&self) -> bool {
        self.kind().starts_type() || self.kind() == Kind::Word
    }

    /// Parses a type.
    pub(super) fn ty(&mut self) -> Parse<Type> {
        self.nested(Self::ty_here)
    }

    fn ty_here(&mut self) -> Parse<Type> {
        let start = self.token().start;
        let prefix = self.prefixes();
        let base = self.type_base()?;
        Ok(Type { prefix, base, span: self.span_from(start) })
    }

    /// Parses what stands before a type. Which of them go together is for the
    /// type checker to say.
    pub(super) fn prefixes(&mut self) -> Prefix {
        let mut prefix = Prefix::default();
        loop {
            let flag = match self.kind() {
                Kind::Urgent => &mut prefix.urgent,
                Kind::Broadcast => &mut prefix.broadcast,
                Kind::Const => &mut prefix.constant,
                Kind::Meta => &mut prefix.meta,
                Kind::Word if self.word(0) == "hybrid" && self.peek(1) == Kind::Clock => &mut prefix.hybrid,
                _ => return prefix,
            };
            *flag = true;
            self.bump();
        }
    }

    fn type_base(&mut self) -> Parse<TypeBase> {
        let token = self.token();
        match token.kind {
            Kind::Word => {
                self.bump();
                let text = self.slice(token);
                let own = self.context.own.contains_word(text);
                Ok(match text {
                    "double" if !own => TypeBase::Double,
                    "string" if !own => TypeBase::String,
                    _ => TypeBase::Named(text.to_owned()),
                })
            }
            Kind::Bool => self.simple_type(TypeBase::Bool),
            Kind::Chan => self.simple_type(TypeBase::Chan),
            Kind::Clock => self.simple_type(TypeBase::Clock),
            Kind::Void => self.simple_type(TypeBase::Void),
            Kind::IntType => {
                self.bump();
                if self.kind() != Kind::OpenBracket {
                    return Ok(TypeBase::Int(None));
                }
                let open = self.bump();
                let low = self.expression_until(&[Kind::Comma])?;
                self.expect(Kind::Comma, "`,` and the upper bound")?;
                let high = self.expression_until(&[Kind::CloseBracket])?;
                self.close(open, Kind::CloseBracket, "`]`")?;
                Ok(TypeBase::Int(Some(Box::new((low, high)))))
            }
            Kind::Scalar => {
                self.bump();
                let open = self.expect(Kind::OpenBracket, "`[` and the number of values")?;
                let size = self.expression_until(&[Kind::CloseBracket])?;
                self.close(open, Kind::CloseBracket, "`]`")?;
                Ok(TypeBase::Scalar(Box::new(size)))
            }
            Kind::Struct => self.fields(),
            _ => Err(self.unexpected("a type")),
        }
    }

    fn simple_type(&mut self, base: TypeBase) -> Parse<TypeBase> {
        self.bump();
        Ok(base)
    }

    /// Parses `struct { int a, b; bool c; }`.
    fn fields(&mut self) -> Parse<TypeBase> {
        self.context.modern = true;
        self.bump();
        let open = self.expect(Kind::OpenBrace, "`{`")?;
        let mut fields = Vec::new();
        while !matches!(self.kind(), Kind::CloseBrace | Kind::End) {
            let start = self.at;
            match self.field() {
                Ok(field) => fields.push(field),
                Err(_) => self.resync(start),
            }
        }
        self.close(open, Kind::CloseBrace, "a field or `}`")?;
        Ok(TypeBase::Struct(fields))
    }

    fn field(&mut self) -> Parse<Field> {
        let ty = self.ty()?;
        let mut names = Vec::new();
        loop {
            let name = self.declare_field("the name of a field")?;
            let dims = self.dims()?;
            names.push(Declarator { name, dims });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("`,`, `[` or `;`")?;
        Ok(Field { ty, names })
    }

    /// Parses array dimensions.
    pub(super) fn dims(&mut self) -> Parse<Vec<Dim>> {
        let mut dims = Vec::new();
        while self.kind() == Kind::OpenBracket {
            let open = self.bump();
            let dim = if self.kind().starts_type() {
                Dim::Index(self.ty()?)
            } else {
                Dim::Size(self.expression_until(&[Kind::CloseBracket])?)
            };
            self.close(open, Kind::CloseBracket, "`]`")?;
            dims.push(dim);
        }
        Ok(dims)
    }

    /// Parses parameters up to `close`, which stays. Broken ones are left out.
    pub(super) fn parameter_list(&mut self, close: Kind) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        if self.kind() == close {
            return params;
        }
        loop {
            if self.parameter(&mut params).is_err() && !self.skip_to(&[Kind::Comma, Kind::Semicolon, close]) {
                return params;
            }
            let separated = match self.kind() {
                Kind::Semicolon if self.syntax == Syntax::New => {
                    let span = self.token_span(self.token());
                    let help = "separate parameters with `,`; the semicolon is UPPAAL 3's old syntax";
                    self.error_with("old-syntax", span, "parameters are separated by `,`", Some(help));
                    true
                }
                Kind::Comma | Kind::Semicolon => true,
                _ => false,
            };
            if !separated {
                if self.kind() != close {
                    self.unexpected("`,` or `)`");
                    if self.skip_to(&[Kind::Comma, close]) && self.eat(Kind::Comma) {
                        continue;
                    }
                }
                return params;
            }
            self.bump();
        }
    }

    /// Parses one parameter.
    fn parameter(&mut self, params: &mut Vec<Param>) -> Parse<()> {
        let start = self.token().start;
        let ty = match params.last() {
            // In the old syntax `int x, y; const n` shares the type.
            Some(last) if self.syntax == Syntax::Old && self.is_lone_name() && self.follows_comma() => {
                last.ty.clone()
            }
            _ if self.kind() == Kind::Const && self.peek(1) == Kind::Word && !self.is_typed_constant() => {
                let token = self.bump();
                let span = self.token_span(token);
                self.old_constant(span);
                let prefix = Prefix { constant: true, ..Prefix::default() };
                Type { prefix, base: TypeBase::Int(None), span }
            }
            _ => self.ty()?,
        };
        let ampersand = self.eat(Kind::Ampersand);
        self.context.modern |= ampersand;
        let reference = ampersand || self.syntax == Syntax::Old && !ty.prefix.constant;
        let name = self.declare("the name of the parameter")?;
        let dims = self.dims()?;
        params.push(Param { ty, reference, name, dims, span: self.span_from(start) });
        Ok(())
    }

    /// Is the name at the cursor the whole parameter?
    fn is_lone_name(&self) -> bool {
        let next = self.peek(1);
        self.is_name()
            && matches!(
                next,
                Kind::Comma | Kind::Semicolon | Kind::CloseParen | Kind::OpenBracket | Kind::End
            )
    }

    fn follows_comma(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1].kind == Kind::Comma
    }

    /// At `const` and a name: does another name follow, so that the first one
    /// is a type?
    fn is_typed_constant(&self) -> bool {
        matches!(self.peek(2), Kind::Word | Kind::Ampersand)
    }

    /// Reports a constant without a type.
    pub(super) fn old_constant(&mut self, span: Span) {
        if self.syntax == Syntax::New {
            let help = "write `const int`; without a type it is UPPAAL 3's old syntax";
            self.error_with("old-syntax", span, "this constant has no type", Some(help));
        }
    }

    /// Parses `i : T, j : U`. Broken ones are left out.
    pub(super) fn select_list(&mut self) -> Vec<Select> {
        self.context.modern = true;
        let mut list = Vec::new();
        loop {
            match self.selection() {
                Ok(select) => list.push(select),
                Err(_) if self.skip_to(&[Kind::Comma]) => {}
                Err(_) => return list,
            }
            if !self.eat(Kind::Comma) {
                return list;
            }
        }
    }

    fn selection(&mut self) -> Parse<Select> {
        let name = self.declare_local("the name of a variable")?;
        self.expect(Kind::Colon, "`:`")?;
        let ty = self.ty()?;
        Ok(Select { name, ty })
    }
}
