(()=>{function bf(i,t){let e=document.createElement("a");e.href=URL.createObjectURL(i),e.download=t,e.click(),setTimeout(()=>URL.revokeObjectURL(e.href),1e4)}var wf=i=>(i||"trammel").replace(/[^\w.-]+/g,"-").slice(0,80);function Ef(i,t){return i.quality.isStill=!0,i.applyQuality(),i.render(),new Promise(e=>i.renderer.domElement.toBlob(n=>{bf(n,`${wf(t)}.png`),e(n.size)},"image/png"))}function Tf(i,t){let e=["video/webm;codecs=vp9","video/webm;codecs=vp8","video/webm"].find(r=>window.MediaRecorder&&MediaRecorder.isTypeSupported(r));if(!e)return null;let n=[],s=new MediaRecorder(i.renderer.domElement.captureStream(30),{mimeType:e,videoBitsPerSecond:8e6});return s.ondataavailable=r=>r.data.size>0&&n.push(r.data),s.start(500),{stop:()=>new Promise(r=>{s.onstop=()=>{let o=new Blob(n,{type:"video/webm"});bf(o,`${wf(t)}.webm`),r(o.size)},s.stop()})}}function it(i,t={},...e){let n=document.createElement(i);for(let[s,r]of Object.entries(t))s==="class"?n.className=r:s.startsWith("on")?n.addEventListener(s.slice(2),r):r===!0?n.setAttribute(s,""):r!==!1&&r!==null&&n.setAttribute(s,r);for(let s of e)n.append(s instanceof Node?s:document.createTextNode(String(s)));return n}function Sn(i,t=!0){let e="http://www.w3.org/2000/svg",n=document.createElementNS(e,"svg"),s=document.createElementNS(e,"path");return n.setAttribute("viewBox","0 0 20 20"),n.setAttribute("width","18"),n.setAttribute("height","18"),n.setAttribute("aria-hidden","true"),s.setAttribute("d",i),s.setAttribute("fill",t?"currentColor":"none"),s.setAttribute("stroke","currentColor"),s.setAttribute("stroke-width",t?"1":"1.8"),s.setAttribute("stroke-linejoin","round"),s.setAttribute("stroke-linecap","round"),n.append(s),n}function $e(i,t=4){if(i==null||!Number.isFinite(i))return"\u2013";let e=Math.abs(i);return e===0?"0":e>=1e6||e<1e-4?i.toExponential(2).replace("e"," e"):String(+i.toPrecision(t)).replace("-","\u2212")}var Kl="171",Ps={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},Is={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},sp=0,wu=1,rp=2;var Eu=1,jl=2,zi=3,ns=0,Fn=1,bn=2,rs=0,Ks=1,Tu=2,Au=3,Ru=4,op=5,As=100,ap=101,lp=102,cp=103,hp=104,up=200,dp=201,fp=202,pp=203,gl=204,_l=205,mp=206,gp=207,_p=208,xp=209,yp=210,vp=211,Mp=212,Sp=213,bp=214,Ql=0,tc=1,ec=2,js=3,nc=4,ic=5,sc=6,rc=7,oc=0,wp=1,Ep=2,wi=0,Tp=1,Ap=2,Rp=3,Cp=4,Pp=5,Ip=6,Lp=7;var Cu=300,sr=301,rr=302,ac=303,lc=304,xa=306,xl=1e3,Ts=1001,yl=1002,Hn=1003,Dp=1004;var ya=1005;var bi=1006,cc=1007;var Ls=1008;var Hi=1009,Pu=1010,Iu=1011,eo=1012,hc=1013,Ds=1014,Ei=1015,no=1016,uc=1017,dc=1018,or=1020,Lu=35902,Du=1021,Uu=1022,di=1023,Nu=1024,Fu=1025,Js=1026,Qs=1027,fc=1028,pc=1029,Ou=1030,mc=1031;var gc=1033,va=33776,Ma=33777,Sa=33778,ba=33779,_c=35840,xc=35841,yc=35842,vc=35843,Mc=36196,Sc=37492,bc=37496,wc=37808,Ec=37809,Tc=37810,Ac=37811,Rc=37812,Cc=37813,Pc=37814,Ic=37815,Lc=37816,Dc=37817,Uc=37818,Nc=37819,Fc=37820,Oc=37821,wa=36492,Bc=36494,kc=36495,Bu=36283,zc=36284,Hc=36285,Vc=36286;var Vo=2300,vl=2301,ml=2302,pu=2400,mu=2401,gu=2402;var Up=3200,Np=3201;var Gc=0,Fp=1,os="",jn="srgb",tr="srgb-linear",Go="linear",we="srgb";var Zs=7680;var _u=519,Op=512,Bp=513,kp=514,ku=515,zp=516,Hp=517,Vp=518,Gp=519,xu=35044,Wc=35048;var zu="300 es",Ni=2e3,Wo=2001,Fi=class{addEventListener(t,e){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[t]===void 0&&(n[t]=[]),n[t].indexOf(e)===-1&&n[t].push(e)}hasEventListener(t,e){if(this._listeners===void 0)return!1;let n=this._listeners;return n[t]!==void 0&&n[t].indexOf(e)!==-1}removeEventListener(t,e){if(this._listeners===void 0)return;let s=this._listeners[t];if(s!==void 0){let r=s.indexOf(e);r!==-1&&s.splice(r,1)}}dispatchEvent(t){if(this._listeners===void 0)return;let n=this._listeners[t.type];if(n!==void 0){t.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,t);t.target=null}}},En=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],Af=1234567,Bo=Math.PI/180,Zr=180/Math.PI;function io(){let i=Math.random()*4294967295|0,t=Math.random()*4294967295|0,e=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(En[i&255]+En[i>>8&255]+En[i>>16&255]+En[i>>24&255]+"-"+En[t&255]+En[t>>8&255]+"-"+En[t>>16&15|64]+En[t>>24&255]+"-"+En[e&63|128]+En[e>>8&255]+"-"+En[e>>16&255]+En[e>>24&255]+En[n&255]+En[n>>8&255]+En[n>>16&255]+En[n>>24&255]).toLowerCase()}function se(i,t,e){return Math.max(t,Math.min(e,i))}function Hu(i,t){return(i%t+t)%t}function I0(i,t,e,n,s){return n+(i-t)*(s-n)/(e-t)}function L0(i,t,e){return i!==t?(e-i)/(t-i):0}function ko(i,t,e){return(1-e)*i+e*t}function D0(i,t,e,n){return ko(i,t,1-Math.exp(-e*n))}function U0(i,t=1){return t-Math.abs(Hu(i,t*2)-t)}function N0(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*(3-2*i))}function F0(i,t,e){return i<=t?0:i>=e?1:(i=(i-t)/(e-t),i*i*i*(i*(i*6-15)+10))}function O0(i,t){return i+Math.floor(Math.random()*(t-i+1))}function B0(i,t){return i+Math.random()*(t-i)}function k0(i){return i*(.5-Math.random())}function z0(i){i!==void 0&&(Af=i);let t=Af+=1831565813;return t=Math.imul(t^t>>>15,t|1),t^=t+Math.imul(t^t>>>7,t|61),((t^t>>>14)>>>0)/4294967296}function H0(i){return i*Bo}function V0(i){return i*Zr}function G0(i){return(i&i-1)===0&&i!==0}function W0(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function X0(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function q0(i,t,e,n,s){let r=Math.cos,o=Math.sin,a=r(e/2),l=o(e/2),c=r((t+n)/2),h=o((t+n)/2),d=r((t-n)/2),u=o((t-n)/2),f=r((n-t)/2),g=o((n-t)/2);switch(s){case"XYX":i.set(a*h,l*d,l*u,a*c);break;case"YZY":i.set(l*u,a*h,l*d,a*c);break;case"ZXZ":i.set(l*d,l*u,a*h,a*c);break;case"XZX":i.set(a*h,l*g,l*f,a*c);break;case"YXY":i.set(l*f,a*h,l*g,a*c);break;case"ZYZ":i.set(l*g,l*f,a*h,a*c);break;default:console.warn("THREE.MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function Yr(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return i/4294967295;case Uint16Array:return i/65535;case Uint8Array:return i/255;case Int32Array:return Math.max(i/2147483647,-1);case Int16Array:return Math.max(i/32767,-1);case Int8Array:return Math.max(i/127,-1);default:throw new Error("Invalid component type.")}}function Nn(i,t){switch(t.constructor){case Float32Array:return i;case Uint32Array:return Math.round(i*4294967295);case Uint16Array:return Math.round(i*65535);case Uint8Array:return Math.round(i*255);case Int32Array:return Math.round(i*2147483647);case Int16Array:return Math.round(i*32767);case Int8Array:return Math.round(i*127);default:throw new Error("Invalid component type.")}}var Vu={DEG2RAD:Bo,RAD2DEG:Zr,generateUUID:io,clamp:se,euclideanModulo:Hu,mapLinear:I0,inverseLerp:L0,lerp:ko,damp:D0,pingpong:U0,smoothstep:N0,smootherstep:F0,randInt:O0,randFloat:B0,randFloatSpread:k0,seededRandom:z0,degToRad:H0,radToDeg:V0,isPowerOfTwo:G0,ceilPowerOfTwo:W0,floorPowerOfTwo:X0,setQuaternionFromProperEuler:q0,normalize:Nn,denormalize:Yr},It=class i{constructor(t=0,e=0){i.prototype.isVector2=!0,this.x=t,this.y=e}get width(){return this.x}set width(t){this.x=t}get height(){return this.y}set height(t){this.y=t}set(t,e){return this.x=t,this.y=e,this}setScalar(t){return this.x=t,this.y=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y)}copy(t){return this.x=t.x,this.y=t.y,this}add(t){return this.x+=t.x,this.y+=t.y,this}addScalar(t){return this.x+=t,this.y+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this}subScalar(t){return this.x-=t,this.y-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this}multiply(t){return this.x*=t.x,this.y*=t.y,this}multiplyScalar(t){return this.x*=t,this.y*=t,this}divide(t){return this.x/=t.x,this.y/=t.y,this}divideScalar(t){return this.multiplyScalar(1/t)}applyMatrix3(t){let e=this.x,n=this.y,s=t.elements;return this.x=s[0]*e+s[3]*n+s[6],this.y=s[1]*e+s[4]*n+s[7],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this}clamp(t,e){return this.x=se(this.x,t.x,e.x),this.y=se(this.y,t.y,e.y),this}clampScalar(t,e){return this.x=se(this.x,t,e),this.y=se(this.y,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(se(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(t){return this.x*t.x+this.y*t.y}cross(t){return this.x*t.y-this.y*t.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(se(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y;return e*e+n*n}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this}equals(t){return t.x===this.x&&t.y===this.y}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this}rotateAround(t,e){let n=Math.cos(e),s=Math.sin(e),r=this.x-t.x,o=this.y-t.y;return this.x=r*n-o*s+t.x,this.y=r*s+o*n+t.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},ee=class i{constructor(t,e,n,s,r,o,a,l,c){i.prototype.isMatrix3=!0,this.elements=[1,0,0,0,1,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c)}set(t,e,n,s,r,o,a,l,c){let h=this.elements;return h[0]=t,h[1]=s,h[2]=a,h[3]=e,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],this}extractBasis(t,e,n){return t.setFromMatrix3Column(this,0),e.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(t){let e=t.elements;return this.set(e[0],e[4],e[8],e[1],e[5],e[9],e[2],e[6],e[10]),this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],d=n[7],u=n[2],f=n[5],g=n[8],x=s[0],m=s[3],p=s[6],T=s[1],b=s[4],S=s[7],P=s[2],R=s[5],L=s[8];return r[0]=o*x+a*T+l*P,r[3]=o*m+a*b+l*R,r[6]=o*p+a*S+l*L,r[1]=c*x+h*T+d*P,r[4]=c*m+h*b+d*R,r[7]=c*p+h*S+d*L,r[2]=u*x+f*T+g*P,r[5]=u*m+f*b+g*R,r[8]=u*p+f*S+g*L,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[3]*=t,e[6]*=t,e[1]*=t,e[4]*=t,e[7]*=t,e[2]*=t,e[5]*=t,e[8]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8];return e*o*h-e*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],d=h*o-a*c,u=a*l-h*r,f=c*r-o*l,g=e*d+n*u+s*f;if(g===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/g;return t[0]=d*x,t[1]=(s*c-h*n)*x,t[2]=(a*n-s*o)*x,t[3]=u*x,t[4]=(h*e-s*l)*x,t[5]=(s*r-a*e)*x,t[6]=f*x,t[7]=(n*l-c*e)*x,t[8]=(o*e-n*r)*x,this}transpose(){let t,e=this.elements;return t=e[1],e[1]=e[3],e[3]=t,t=e[2],e[2]=e[6],e[6]=t,t=e[5],e[5]=e[7],e[7]=t,this}getNormalMatrix(t){return this.setFromMatrix4(t).invert().transpose()}transposeIntoArray(t){let e=this.elements;return t[0]=e[0],t[1]=e[3],t[2]=e[6],t[3]=e[1],t[4]=e[4],t[5]=e[7],t[6]=e[2],t[7]=e[5],t[8]=e[8],this}setUvTransform(t,e,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+t,-s*c,s*l,-s*(-c*o+l*a)+a+e,0,0,1),this}scale(t,e){return this.premultiply(Gh.makeScale(t,e)),this}rotate(t){return this.premultiply(Gh.makeRotation(-t)),this}translate(t,e){return this.premultiply(Gh.makeTranslation(t,e)),this}makeTranslation(t,e){return t.isVector2?this.set(1,0,t.x,0,1,t.y,0,0,1):this.set(1,0,t,0,1,e,0,0,1),this}makeRotation(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,n,e,0,0,0,1),this}makeScale(t,e){return this.set(t,0,0,0,e,0,0,0,1),this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<9;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<9;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t}clone(){return new this.constructor().fromArray(this.elements)}},Gh=new ee;function Gu(i){for(let t=i.length-1;t>=0;--t)if(i[t]>=65535)return!0;return!1}function Xo(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function Wp(){let i=Xo("canvas");return i.style.display="block",i}var Rf={};function ar(i){i in Rf||(Rf[i]=!0,console.warn(i))}function Xp(i,t,e){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(t,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,e);break;default:n()}}setTimeout(r,e)})}function qp(i){let t=i.elements;t[2]=.5*t[2]+.5*t[3],t[6]=.5*t[6]+.5*t[7],t[10]=.5*t[10]+.5*t[11],t[14]=.5*t[14]+.5*t[15]}function Yp(i){let t=i.elements;t[11]===-1?(t[10]=-t[10]-1,t[14]=-t[14]):(t[10]=-t[10],t[14]=-t[14]+1)}var Cf=new ee().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),Pf=new ee().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function Y0(){let i={enabled:!0,workingColorSpace:tr,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===we&&(s.r=es(s.r),s.g=es(s.g),s.b=es(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===we&&(s.r=$r(s.r),s.g=$r(s.g),s.b=$r(s.b))),s},fromWorkingColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},toWorkingColorSpace:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===os?Go:this.spaces[s].transfer},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[r].toXYZ).multiply(this.spaces[o].fromXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},t=[.64,.33,.3,.6,.15,.06],e=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[tr]:{primaries:t,whitePoint:n,transfer:Go,toXYZ:Cf,fromXYZ:Pf,luminanceCoefficients:e,workingColorSpaceConfig:{unpackColorSpace:jn},outputColorSpaceConfig:{drawingBufferColorSpace:jn}},[jn]:{primaries:t,whitePoint:n,transfer:we,toXYZ:Cf,fromXYZ:Pf,luminanceCoefficients:e,outputColorSpaceConfig:{drawingBufferColorSpace:jn}}}),i}var ge=Y0();function es(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function $r(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var Ur,Ml=class{static getDataURL(t){if(/^data:/i.test(t.src)||typeof HTMLCanvasElement>"u")return t.src;let e;if(t instanceof HTMLCanvasElement)e=t;else{Ur===void 0&&(Ur=Xo("canvas")),Ur.width=t.width,Ur.height=t.height;let n=Ur.getContext("2d");t instanceof ImageData?n.putImageData(t,0,0):n.drawImage(t,0,0,t.width,t.height),e=Ur}return e.width>2048||e.height>2048?(console.warn("THREE.ImageUtils.getDataURL: Image converted to jpg for performance reasons",t),e.toDataURL("image/jpeg",.6)):e.toDataURL("image/png")}static sRGBToLinear(t){if(typeof HTMLImageElement<"u"&&t instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&t instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&t instanceof ImageBitmap){let e=Xo("canvas");e.width=t.width,e.height=t.height;let n=e.getContext("2d");n.drawImage(t,0,0,t.width,t.height);let s=n.getImageData(0,0,t.width,t.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=es(r[o]/255)*255;return n.putImageData(s,0,0),e}else if(t.data){let e=t.data.slice(0);for(let n=0;n<e.length;n++)e instanceof Uint8Array||e instanceof Uint8ClampedArray?e[n]=Math.floor(es(e[n]/255)*255):e[n]=es(e[n]);return{data:e,width:t.width,height:t.height}}else return console.warn("THREE.ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),t}},$0=0,qo=class{constructor(t=null){this.isSource=!0,Object.defineProperty(this,"id",{value:$0++}),this.uuid=io(),this.data=t,this.dataReady=!0,this.version=0}set needsUpdate(t){t===!0&&this.version++}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.images[this.uuid]!==void 0)return t.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(Wh(s[o].image)):r.push(Wh(s[o]))}else r=Wh(s);n.url=r}return e||(t.images[this.uuid]=n),n}};function Wh(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Ml.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(console.warn("THREE.Texture: Unable to serialize Texture."),{})}var Z0=0,Vn=class i extends Fi{constructor(t=i.DEFAULT_IMAGE,e=i.DEFAULT_MAPPING,n=Ts,s=Ts,r=bi,o=Ls,a=di,l=Hi,c=i.DEFAULT_ANISOTROPY,h=os){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:Z0++}),this.uuid=io(),this.name="",this.source=new qo(t),this.mipmaps=[],this.mapping=e,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new It(0,0),this.repeat=new It(1,1),this.center=new It(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new ee,this.generateMipmaps=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.version=0,this.onUpdate=null,this.isRenderTargetTexture=!1,this.pmremVersion=0}get image(){return this.source.data}set image(t=null){this.source.data=t}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}clone(){return new this.constructor().copy(this)}copy(t){return this.name=t.name,this.source=t.source,this.mipmaps=t.mipmaps.slice(0),this.mapping=t.mapping,this.channel=t.channel,this.wrapS=t.wrapS,this.wrapT=t.wrapT,this.magFilter=t.magFilter,this.minFilter=t.minFilter,this.anisotropy=t.anisotropy,this.format=t.format,this.internalFormat=t.internalFormat,this.type=t.type,this.offset.copy(t.offset),this.repeat.copy(t.repeat),this.center.copy(t.center),this.rotation=t.rotation,this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrix.copy(t.matrix),this.generateMipmaps=t.generateMipmaps,this.premultiplyAlpha=t.premultiplyAlpha,this.flipY=t.flipY,this.unpackAlignment=t.unpackAlignment,this.colorSpace=t.colorSpace,this.userData=JSON.parse(JSON.stringify(t.userData)),this.needsUpdate=!0,this}toJSON(t){let e=t===void 0||typeof t=="string";if(!e&&t.textures[this.uuid]!==void 0)return t.textures[this.uuid];let n={metadata:{version:4.6,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(t).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),e||(t.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(t){if(this.mapping!==Cu)return t;if(t.applyMatrix3(this.matrix),t.x<0||t.x>1)switch(this.wrapS){case xl:t.x=t.x-Math.floor(t.x);break;case Ts:t.x=t.x<0?0:1;break;case yl:Math.abs(Math.floor(t.x)%2)===1?t.x=Math.ceil(t.x)-t.x:t.x=t.x-Math.floor(t.x);break}if(t.y<0||t.y>1)switch(this.wrapT){case xl:t.y=t.y-Math.floor(t.y);break;case Ts:t.y=t.y<0?0:1;break;case yl:Math.abs(Math.floor(t.y)%2)===1?t.y=Math.ceil(t.y)-t.y:t.y=t.y-Math.floor(t.y);break}return this.flipY&&(t.y=1-t.y),t}set needsUpdate(t){t===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(t){t===!0&&this.pmremVersion++}};Vn.DEFAULT_IMAGE=null;Vn.DEFAULT_MAPPING=Cu;Vn.DEFAULT_ANISOTROPY=1;var Ve=class i{constructor(t=0,e=0,n=0,s=1){i.prototype.isVector4=!0,this.x=t,this.y=e,this.z=n,this.w=s}get width(){return this.z}set width(t){this.z=t}get height(){return this.w}set height(t){this.w=t}set(t,e,n,s){return this.x=t,this.y=e,this.z=n,this.w=s,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this.w=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setW(t){return this.w=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;case 3:this.w=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this.w=t.w!==void 0?t.w:1,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this.w+=t.w,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this.w+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this.w=t.w+e.w,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this.w+=t.w*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this.w-=t.w,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this.w-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this.w=t.w-e.w,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this.w*=t.w,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this.w*=t,this}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=this.w,o=t.elements;return this.x=o[0]*e+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*e+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*e+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*e+o[7]*n+o[11]*s+o[15]*r,this}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this.w/=t.w,this}divideScalar(t){return this.multiplyScalar(1/t)}setAxisAngleFromQuaternion(t){this.w=2*Math.acos(t.w);let e=Math.sqrt(1-t.w*t.w);return e<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=t.x/e,this.y=t.y/e,this.z=t.z/e),this}setAxisAngleFromRotationMatrix(t){let e,n,s,r,l=t.elements,c=l[0],h=l[4],d=l[8],u=l[1],f=l[5],g=l[9],x=l[2],m=l[6],p=l[10];if(Math.abs(h-u)<.01&&Math.abs(d-x)<.01&&Math.abs(g-m)<.01){if(Math.abs(h+u)<.1&&Math.abs(d+x)<.1&&Math.abs(g+m)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;e=Math.PI;let b=(c+1)/2,S=(f+1)/2,P=(p+1)/2,R=(h+u)/4,L=(d+x)/4,N=(g+m)/4;return b>S&&b>P?b<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(b),s=R/n,r=L/n):S>P?S<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(S),n=R/s,r=N/s):P<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(P),n=L/r,s=N/r),this.set(n,s,r,e),this}let T=Math.sqrt((m-g)*(m-g)+(d-x)*(d-x)+(u-h)*(u-h));return Math.abs(T)<.001&&(T=1),this.x=(m-g)/T,this.y=(d-x)/T,this.z=(u-h)/T,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this.w=e[15],this}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this.w=Math.min(this.w,t.w),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this.w=Math.max(this.w,t.w),this}clamp(t,e){return this.x=se(this.x,t.x,e.x),this.y=se(this.y,t.y,e.y),this.z=se(this.z,t.z,e.z),this.w=se(this.w,t.w,e.w),this}clampScalar(t,e){return this.x=se(this.x,t,e),this.y=se(this.y,t,e),this.z=se(this.z,t,e),this.w=se(this.w,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(se(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z+this.w*t.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this.w+=(t.w-this.w)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this.w=t.w+(e.w-t.w)*n,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z&&t.w===this.w}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this.w=t[e+3],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t[e+3]=this.w,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this.w=t.getW(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Sl=class extends Fi{constructor(t=1,e=1,n={}){super(),this.isRenderTarget=!0,this.width=t,this.height=e,this.depth=1,this.scissor=new Ve(0,0,t,e),this.scissorTest=!1,this.viewport=new Ve(0,0,t,e);let s={width:t,height:e,depth:1};n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:bi,depthBuffer:!0,stencilBuffer:!1,resolveDepthBuffer:!0,resolveStencilBuffer:!0,depthTexture:null,samples:0,count:1},n);let r=new Vn(s,n.mapping,n.wrapS,n.wrapT,n.magFilter,n.minFilter,n.format,n.type,n.anisotropy,n.colorSpace);r.flipY=!1,r.generateMipmaps=n.generateMipmaps,r.internalFormat=n.internalFormat,this.textures=[];let o=n.count;for(let a=0;a<o;a++)this.textures[a]=r.clone(),this.textures[a].isRenderTargetTexture=!0;this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.depthTexture=n.depthTexture,this.samples=n.samples}get texture(){return this.textures[0]}set texture(t){this.textures[0]=t}setSize(t,e,n=1){if(this.width!==t||this.height!==e||this.depth!==n){this.width=t,this.height=e,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=t,this.textures[s].image.height=e,this.textures[s].image.depth=n;this.dispose()}this.viewport.set(0,0,t,e),this.scissor.set(0,0,t,e)}clone(){return new this.constructor().copy(this)}copy(t){this.width=t.width,this.height=t.height,this.depth=t.depth,this.scissor.copy(t.scissor),this.scissorTest=t.scissorTest,this.viewport.copy(t.viewport),this.textures.length=0;for(let n=0,s=t.textures.length;n<s;n++)this.textures[n]=t.textures[n].clone(),this.textures[n].isRenderTargetTexture=!0;let e=Object.assign({},t.texture.image);return this.texture.source=new qo(e),this.depthBuffer=t.depthBuffer,this.stencilBuffer=t.stencilBuffer,this.resolveDepthBuffer=t.resolveDepthBuffer,this.resolveStencilBuffer=t.resolveStencilBuffer,t.depthTexture!==null&&(this.depthTexture=t.depthTexture.clone()),this.samples=t.samples,this}dispose(){this.dispatchEvent({type:"dispose"})}},Oi=class extends Sl{constructor(t=1,e=1,n={}){super(t,e,n),this.isWebGLRenderTarget=!0}},Yo=class extends Vn{constructor(t=null,e=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Hn,this.minFilter=Hn,this.wrapR=Ts,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}addLayerUpdate(t){this.layerUpdates.add(t)}clearLayerUpdates(){this.layerUpdates.clear()}};var bl=class extends Vn{constructor(t=null,e=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:t,width:e,height:n,depth:s},this.magFilter=Hn,this.minFilter=Hn,this.wrapR=Ts,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var Gn=class{constructor(t=0,e=0,n=0,s=1){this.isQuaternion=!0,this._x=t,this._y=e,this._z=n,this._w=s}static slerpFlat(t,e,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],d=n[s+3],u=r[o+0],f=r[o+1],g=r[o+2],x=r[o+3];if(a===0){t[e+0]=l,t[e+1]=c,t[e+2]=h,t[e+3]=d;return}if(a===1){t[e+0]=u,t[e+1]=f,t[e+2]=g,t[e+3]=x;return}if(d!==x||l!==u||c!==f||h!==g){let m=1-a,p=l*u+c*f+h*g+d*x,T=p>=0?1:-1,b=1-p*p;if(b>Number.EPSILON){let P=Math.sqrt(b),R=Math.atan2(P,p*T);m=Math.sin(m*R)/P,a=Math.sin(a*R)/P}let S=a*T;if(l=l*m+u*S,c=c*m+f*S,h=h*m+g*S,d=d*m+x*S,m===1-a){let P=1/Math.sqrt(l*l+c*c+h*h+d*d);l*=P,c*=P,h*=P,d*=P}}t[e]=l,t[e+1]=c,t[e+2]=h,t[e+3]=d}static multiplyQuaternionsFlat(t,e,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],d=r[o],u=r[o+1],f=r[o+2],g=r[o+3];return t[e]=a*g+h*d+l*f-c*u,t[e+1]=l*g+h*u+c*d-a*f,t[e+2]=c*g+h*f+a*u-l*d,t[e+3]=h*g-a*d-l*u-c*f,t}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get w(){return this._w}set w(t){this._w=t,this._onChangeCallback()}set(t,e,n,s){return this._x=t,this._y=e,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(t){return this._x=t.x,this._y=t.y,this._z=t.z,this._w=t.w,this._onChangeCallback(),this}setFromEuler(t,e=!0){let n=t._x,s=t._y,r=t._z,o=t._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),d=a(r/2),u=l(n/2),f=l(s/2),g=l(r/2);switch(o){case"XYZ":this._x=u*h*d+c*f*g,this._y=c*f*d-u*h*g,this._z=c*h*g+u*f*d,this._w=c*h*d-u*f*g;break;case"YXZ":this._x=u*h*d+c*f*g,this._y=c*f*d-u*h*g,this._z=c*h*g-u*f*d,this._w=c*h*d+u*f*g;break;case"ZXY":this._x=u*h*d-c*f*g,this._y=c*f*d+u*h*g,this._z=c*h*g+u*f*d,this._w=c*h*d-u*f*g;break;case"ZYX":this._x=u*h*d-c*f*g,this._y=c*f*d+u*h*g,this._z=c*h*g-u*f*d,this._w=c*h*d+u*f*g;break;case"YZX":this._x=u*h*d+c*f*g,this._y=c*f*d+u*h*g,this._z=c*h*g-u*f*d,this._w=c*h*d-u*f*g;break;case"XZY":this._x=u*h*d-c*f*g,this._y=c*f*d-u*h*g,this._z=c*h*g+u*f*d,this._w=c*h*d+u*f*g;break;default:console.warn("THREE.Quaternion: .setFromEuler() encountered an unknown order: "+o)}return e===!0&&this._onChangeCallback(),this}setFromAxisAngle(t,e){let n=e/2,s=Math.sin(n);return this._x=t.x*s,this._y=t.y*s,this._z=t.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(t){let e=t.elements,n=e[0],s=e[4],r=e[8],o=e[1],a=e[5],l=e[9],c=e[2],h=e[6],d=e[10],u=n+a+d;if(u>0){let f=.5/Math.sqrt(u+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-s)*f}else if(n>a&&n>d){let f=2*Math.sqrt(1+n-a-d);this._w=(h-l)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+c)/f}else if(a>d){let f=2*Math.sqrt(1+a-n-d);this._w=(r-c)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+d-n-a);this._w=(o-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(t,e){let n=t.dot(e)+1;return n<Number.EPSILON?(n=0,Math.abs(t.x)>Math.abs(t.z)?(this._x=-t.y,this._y=t.x,this._z=0,this._w=n):(this._x=0,this._y=-t.z,this._z=t.y,this._w=n)):(this._x=t.y*e.z-t.z*e.y,this._y=t.z*e.x-t.x*e.z,this._z=t.x*e.y-t.y*e.x,this._w=n),this.normalize()}angleTo(t){return 2*Math.acos(Math.abs(se(this.dot(t),-1,1)))}rotateTowards(t,e){let n=this.angleTo(t);if(n===0)return this;let s=Math.min(1,e/n);return this.slerp(t,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(t){return this._x*t._x+this._y*t._y+this._z*t._z+this._w*t._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let t=this.length();return t===0?(this._x=0,this._y=0,this._z=0,this._w=1):(t=1/t,this._x=this._x*t,this._y=this._y*t,this._z=this._z*t,this._w=this._w*t),this._onChangeCallback(),this}multiply(t){return this.multiplyQuaternions(this,t)}premultiply(t){return this.multiplyQuaternions(t,this)}multiplyQuaternions(t,e){let n=t._x,s=t._y,r=t._z,o=t._w,a=e._x,l=e._y,c=e._z,h=e._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(t,e){if(e===0)return this;if(e===1)return this.copy(t);let n=this._x,s=this._y,r=this._z,o=this._w,a=o*t._w+n*t._x+s*t._y+r*t._z;if(a<0?(this._w=-t._w,this._x=-t._x,this._y=-t._y,this._z=-t._z,a=-a):this.copy(t),a>=1)return this._w=o,this._x=n,this._y=s,this._z=r,this;let l=1-a*a;if(l<=Number.EPSILON){let f=1-e;return this._w=f*o+e*this._w,this._x=f*n+e*this._x,this._y=f*s+e*this._y,this._z=f*r+e*this._z,this.normalize(),this}let c=Math.sqrt(l),h=Math.atan2(c,a),d=Math.sin((1-e)*h)/c,u=Math.sin(e*h)/c;return this._w=o*d+this._w*u,this._x=n*d+this._x*u,this._y=s*d+this._y*u,this._z=r*d+this._z*u,this._onChangeCallback(),this}slerpQuaternions(t,e,n){return this.copy(t).slerp(e,n)}random(){let t=2*Math.PI*Math.random(),e=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(t),s*Math.cos(t),r*Math.sin(e),r*Math.cos(e))}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._w===this._w}fromArray(t,e=0){return this._x=t[e],this._y=t[e+1],this._z=t[e+2],this._w=t[e+3],this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._w,t}fromBufferAttribute(t,e){return this._x=t.getX(e),this._y=t.getY(e),this._z=t.getZ(e),this._w=t.getW(e),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},U=class i{constructor(t=0,e=0,n=0){i.prototype.isVector3=!0,this.x=t,this.y=e,this.z=n}set(t,e,n){return n===void 0&&(n=this.z),this.x=t,this.y=e,this.z=n,this}setScalar(t){return this.x=t,this.y=t,this.z=t,this}setX(t){return this.x=t,this}setY(t){return this.y=t,this}setZ(t){return this.z=t,this}setComponent(t,e){switch(t){case 0:this.x=e;break;case 1:this.y=e;break;case 2:this.z=e;break;default:throw new Error("index is out of range: "+t)}return this}getComponent(t){switch(t){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("index is out of range: "+t)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(t){return this.x=t.x,this.y=t.y,this.z=t.z,this}add(t){return this.x+=t.x,this.y+=t.y,this.z+=t.z,this}addScalar(t){return this.x+=t,this.y+=t,this.z+=t,this}addVectors(t,e){return this.x=t.x+e.x,this.y=t.y+e.y,this.z=t.z+e.z,this}addScaledVector(t,e){return this.x+=t.x*e,this.y+=t.y*e,this.z+=t.z*e,this}sub(t){return this.x-=t.x,this.y-=t.y,this.z-=t.z,this}subScalar(t){return this.x-=t,this.y-=t,this.z-=t,this}subVectors(t,e){return this.x=t.x-e.x,this.y=t.y-e.y,this.z=t.z-e.z,this}multiply(t){return this.x*=t.x,this.y*=t.y,this.z*=t.z,this}multiplyScalar(t){return this.x*=t,this.y*=t,this.z*=t,this}multiplyVectors(t,e){return this.x=t.x*e.x,this.y=t.y*e.y,this.z=t.z*e.z,this}applyEuler(t){return this.applyQuaternion(If.setFromEuler(t))}applyAxisAngle(t,e){return this.applyQuaternion(If.setFromAxisAngle(t,e))}applyMatrix3(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[3]*n+r[6]*s,this.y=r[1]*e+r[4]*n+r[7]*s,this.z=r[2]*e+r[5]*n+r[8]*s,this}applyNormalMatrix(t){return this.applyMatrix3(t).normalize()}applyMatrix4(t){let e=this.x,n=this.y,s=this.z,r=t.elements,o=1/(r[3]*e+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*e+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*e+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*e+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(t){let e=this.x,n=this.y,s=this.z,r=t.x,o=t.y,a=t.z,l=t.w,c=2*(o*s-a*n),h=2*(a*e-r*s),d=2*(r*n-o*e);return this.x=e+l*c+o*d-a*h,this.y=n+l*h+a*c-r*d,this.z=s+l*d+r*h-o*c,this}project(t){return this.applyMatrix4(t.matrixWorldInverse).applyMatrix4(t.projectionMatrix)}unproject(t){return this.applyMatrix4(t.projectionMatrixInverse).applyMatrix4(t.matrixWorld)}transformDirection(t){let e=this.x,n=this.y,s=this.z,r=t.elements;return this.x=r[0]*e+r[4]*n+r[8]*s,this.y=r[1]*e+r[5]*n+r[9]*s,this.z=r[2]*e+r[6]*n+r[10]*s,this.normalize()}divide(t){return this.x/=t.x,this.y/=t.y,this.z/=t.z,this}divideScalar(t){return this.multiplyScalar(1/t)}min(t){return this.x=Math.min(this.x,t.x),this.y=Math.min(this.y,t.y),this.z=Math.min(this.z,t.z),this}max(t){return this.x=Math.max(this.x,t.x),this.y=Math.max(this.y,t.y),this.z=Math.max(this.z,t.z),this}clamp(t,e){return this.x=se(this.x,t.x,e.x),this.y=se(this.y,t.y,e.y),this.z=se(this.z,t.z,e.z),this}clampScalar(t,e){return this.x=se(this.x,t,e),this.y=se(this.y,t,e),this.z=se(this.z,t,e),this}clampLength(t,e){let n=this.length();return this.divideScalar(n||1).multiplyScalar(se(n,t,e))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(t){return this.x*t.x+this.y*t.y+this.z*t.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(t){return this.normalize().multiplyScalar(t)}lerp(t,e){return this.x+=(t.x-this.x)*e,this.y+=(t.y-this.y)*e,this.z+=(t.z-this.z)*e,this}lerpVectors(t,e,n){return this.x=t.x+(e.x-t.x)*n,this.y=t.y+(e.y-t.y)*n,this.z=t.z+(e.z-t.z)*n,this}cross(t){return this.crossVectors(this,t)}crossVectors(t,e){let n=t.x,s=t.y,r=t.z,o=e.x,a=e.y,l=e.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(t){let e=t.lengthSq();if(e===0)return this.set(0,0,0);let n=t.dot(this)/e;return this.copy(t).multiplyScalar(n)}projectOnPlane(t){return Xh.copy(this).projectOnVector(t),this.sub(Xh)}reflect(t){return this.sub(Xh.copy(t).multiplyScalar(2*this.dot(t)))}angleTo(t){let e=Math.sqrt(this.lengthSq()*t.lengthSq());if(e===0)return Math.PI/2;let n=this.dot(t)/e;return Math.acos(se(n,-1,1))}distanceTo(t){return Math.sqrt(this.distanceToSquared(t))}distanceToSquared(t){let e=this.x-t.x,n=this.y-t.y,s=this.z-t.z;return e*e+n*n+s*s}manhattanDistanceTo(t){return Math.abs(this.x-t.x)+Math.abs(this.y-t.y)+Math.abs(this.z-t.z)}setFromSpherical(t){return this.setFromSphericalCoords(t.radius,t.phi,t.theta)}setFromSphericalCoords(t,e,n){let s=Math.sin(e)*t;return this.x=s*Math.sin(n),this.y=Math.cos(e)*t,this.z=s*Math.cos(n),this}setFromCylindrical(t){return this.setFromCylindricalCoords(t.radius,t.theta,t.y)}setFromCylindricalCoords(t,e,n){return this.x=t*Math.sin(e),this.y=n,this.z=t*Math.cos(e),this}setFromMatrixPosition(t){let e=t.elements;return this.x=e[12],this.y=e[13],this.z=e[14],this}setFromMatrixScale(t){let e=this.setFromMatrixColumn(t,0).length(),n=this.setFromMatrixColumn(t,1).length(),s=this.setFromMatrixColumn(t,2).length();return this.x=e,this.y=n,this.z=s,this}setFromMatrixColumn(t,e){return this.fromArray(t.elements,e*4)}setFromMatrix3Column(t,e){return this.fromArray(t.elements,e*3)}setFromEuler(t){return this.x=t._x,this.y=t._y,this.z=t._z,this}setFromColor(t){return this.x=t.r,this.y=t.g,this.z=t.b,this}equals(t){return t.x===this.x&&t.y===this.y&&t.z===this.z}fromArray(t,e=0){return this.x=t[e],this.y=t[e+1],this.z=t[e+2],this}toArray(t=[],e=0){return t[e]=this.x,t[e+1]=this.y,t[e+2]=this.z,t}fromBufferAttribute(t,e){return this.x=t.getX(e),this.y=t.getY(e),this.z=t.getZ(e),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let t=Math.random()*Math.PI*2,e=Math.random()*2-1,n=Math.sqrt(1-e*e);return this.x=n*Math.cos(t),this.y=e,this.z=n*Math.sin(t),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},Xh=new U,If=new Gn,yn=class{constructor(t=new U(1/0,1/0,1/0),e=new U(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=t,this.max=e}set(t,e){return this.min.copy(t),this.max.copy(e),this}setFromArray(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e+=3)this.expandByPoint(vi.fromArray(t,e));return this}setFromBufferAttribute(t){this.makeEmpty();for(let e=0,n=t.count;e<n;e++)this.expandByPoint(vi.fromBufferAttribute(t,e));return this}setFromPoints(t){this.makeEmpty();for(let e=0,n=t.length;e<n;e++)this.expandByPoint(t[e]);return this}setFromCenterAndSize(t,e){let n=vi.copy(e).multiplyScalar(.5);return this.min.copy(t).sub(n),this.max.copy(t).add(n),this}setFromObject(t,e=!1){return this.makeEmpty(),this.expandByObject(t,e)}clone(){return new this.constructor().copy(this)}copy(t){return this.min.copy(t.min),this.max.copy(t.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(t){return this.isEmpty()?t.set(0,0,0):t.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(t){return this.isEmpty()?t.set(0,0,0):t.subVectors(this.max,this.min)}expandByPoint(t){return this.min.min(t),this.max.max(t),this}expandByVector(t){return this.min.sub(t),this.max.add(t),this}expandByScalar(t){return this.min.addScalar(-t),this.max.addScalar(t),this}expandByObject(t,e=!1){t.updateWorldMatrix(!1,!1);let n=t.geometry;if(n!==void 0){let r=n.getAttribute("position");if(e===!0&&r!==void 0&&t.isInstancedMesh!==!0)for(let o=0,a=r.count;o<a;o++)t.isMesh===!0?t.getVertexPosition(o,vi):vi.fromBufferAttribute(r,o),vi.applyMatrix4(t.matrixWorld),this.expandByPoint(vi);else t.boundingBox!==void 0?(t.boundingBox===null&&t.computeBoundingBox(),Xa.copy(t.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Xa.copy(n.boundingBox)),Xa.applyMatrix4(t.matrixWorld),this.union(Xa)}let s=t.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],e);return this}containsPoint(t){return t.x>=this.min.x&&t.x<=this.max.x&&t.y>=this.min.y&&t.y<=this.max.y&&t.z>=this.min.z&&t.z<=this.max.z}containsBox(t){return this.min.x<=t.min.x&&t.max.x<=this.max.x&&this.min.y<=t.min.y&&t.max.y<=this.max.y&&this.min.z<=t.min.z&&t.max.z<=this.max.z}getParameter(t,e){return e.set((t.x-this.min.x)/(this.max.x-this.min.x),(t.y-this.min.y)/(this.max.y-this.min.y),(t.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(t){return t.max.x>=this.min.x&&t.min.x<=this.max.x&&t.max.y>=this.min.y&&t.min.y<=this.max.y&&t.max.z>=this.min.z&&t.min.z<=this.max.z}intersectsSphere(t){return this.clampPoint(t.center,vi),vi.distanceToSquared(t.center)<=t.radius*t.radius}intersectsPlane(t){let e,n;return t.normal.x>0?(e=t.normal.x*this.min.x,n=t.normal.x*this.max.x):(e=t.normal.x*this.max.x,n=t.normal.x*this.min.x),t.normal.y>0?(e+=t.normal.y*this.min.y,n+=t.normal.y*this.max.y):(e+=t.normal.y*this.max.y,n+=t.normal.y*this.min.y),t.normal.z>0?(e+=t.normal.z*this.min.z,n+=t.normal.z*this.max.z):(e+=t.normal.z*this.max.z,n+=t.normal.z*this.min.z),e<=-t.constant&&n>=-t.constant}intersectsTriangle(t){if(this.isEmpty())return!1;this.getCenter(Io),qa.subVectors(this.max,Io),Nr.subVectors(t.a,Io),Fr.subVectors(t.b,Io),Or.subVectors(t.c,Io),ys.subVectors(Fr,Nr),vs.subVectors(Or,Fr),Xs.subVectors(Nr,Or);let e=[0,-ys.z,ys.y,0,-vs.z,vs.y,0,-Xs.z,Xs.y,ys.z,0,-ys.x,vs.z,0,-vs.x,Xs.z,0,-Xs.x,-ys.y,ys.x,0,-vs.y,vs.x,0,-Xs.y,Xs.x,0];return!qh(e,Nr,Fr,Or,qa)||(e=[1,0,0,0,1,0,0,0,1],!qh(e,Nr,Fr,Or,qa))?!1:(Ya.crossVectors(ys,vs),e=[Ya.x,Ya.y,Ya.z],qh(e,Nr,Fr,Or,qa))}clampPoint(t,e){return e.copy(t).clamp(this.min,this.max)}distanceToPoint(t){return this.clampPoint(t,vi).distanceTo(t)}getBoundingSphere(t){return this.isEmpty()?t.makeEmpty():(this.getCenter(t.center),t.radius=this.getSize(vi).length()*.5),t}intersect(t){return this.min.max(t.min),this.max.min(t.max),this.isEmpty()&&this.makeEmpty(),this}union(t){return this.min.min(t.min),this.max.max(t.max),this}applyMatrix4(t){return this.isEmpty()?this:(Ji[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(t),Ji[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(t),Ji[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(t),Ji[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(t),Ji[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(t),Ji[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(t),Ji[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(t),Ji[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(t),this.setFromPoints(Ji),this)}translate(t){return this.min.add(t),this.max.add(t),this}equals(t){return t.min.equals(this.min)&&t.max.equals(this.max)}},Ji=[new U,new U,new U,new U,new U,new U,new U,new U],vi=new U,Xa=new yn,Nr=new U,Fr=new U,Or=new U,ys=new U,vs=new U,Xs=new U,Io=new U,qa=new U,Ya=new U,qs=new U;function qh(i,t,e,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){qs.fromArray(i,r);let a=s.x*Math.abs(qs.x)+s.y*Math.abs(qs.y)+s.z*Math.abs(qs.z),l=t.dot(qs),c=e.dot(qs),h=n.dot(qs);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var J0=new yn,Lo=new U,Yh=new U,Bi=class{constructor(t=new U,e=-1){this.isSphere=!0,this.center=t,this.radius=e}set(t,e){return this.center.copy(t),this.radius=e,this}setFromPoints(t,e){let n=this.center;e!==void 0?n.copy(e):J0.setFromPoints(t).getCenter(n);let s=0;for(let r=0,o=t.length;r<o;r++)s=Math.max(s,n.distanceToSquared(t[r]));return this.radius=Math.sqrt(s),this}copy(t){return this.center.copy(t.center),this.radius=t.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(t){return t.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(t){return t.distanceTo(this.center)-this.radius}intersectsSphere(t){let e=this.radius+t.radius;return t.center.distanceToSquared(this.center)<=e*e}intersectsBox(t){return t.intersectsSphere(this)}intersectsPlane(t){return Math.abs(t.distanceToPoint(this.center))<=this.radius}clampPoint(t,e){let n=this.center.distanceToSquared(t);return e.copy(t),n>this.radius*this.radius&&(e.sub(this.center).normalize(),e.multiplyScalar(this.radius).add(this.center)),e}getBoundingBox(t){return this.isEmpty()?(t.makeEmpty(),t):(t.set(this.center,this.center),t.expandByScalar(this.radius),t)}applyMatrix4(t){return this.center.applyMatrix4(t),this.radius=this.radius*t.getMaxScaleOnAxis(),this}translate(t){return this.center.add(t),this}expandByPoint(t){if(this.isEmpty())return this.center.copy(t),this.radius=0,this;Lo.subVectors(t,this.center);let e=Lo.lengthSq();if(e>this.radius*this.radius){let n=Math.sqrt(e),s=(n-this.radius)*.5;this.center.addScaledVector(Lo,s/n),this.radius+=s}return this}union(t){return t.isEmpty()?this:this.isEmpty()?(this.copy(t),this):(this.center.equals(t.center)===!0?this.radius=Math.max(this.radius,t.radius):(Yh.subVectors(t.center,this.center).setLength(t.radius),this.expandByPoint(Lo.copy(t.center).add(Yh)),this.expandByPoint(Lo.copy(t.center).sub(Yh))),this)}equals(t){return t.center.equals(this.center)&&t.radius===this.radius}clone(){return new this.constructor().copy(this)}},Ki=new U,$h=new U,$a=new U,Ms=new U,Zh=new U,Za=new U,Jh=new U,is=class{constructor(t=new U,e=new U(0,0,-1)){this.origin=t,this.direction=e}set(t,e){return this.origin.copy(t),this.direction.copy(e),this}copy(t){return this.origin.copy(t.origin),this.direction.copy(t.direction),this}at(t,e){return e.copy(this.origin).addScaledVector(this.direction,t)}lookAt(t){return this.direction.copy(t).sub(this.origin).normalize(),this}recast(t){return this.origin.copy(this.at(t,Ki)),this}closestPointToPoint(t,e){e.subVectors(t,this.origin);let n=e.dot(this.direction);return n<0?e.copy(this.origin):e.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(t){return Math.sqrt(this.distanceSqToPoint(t))}distanceSqToPoint(t){let e=Ki.subVectors(t,this.origin).dot(this.direction);return e<0?this.origin.distanceToSquared(t):(Ki.copy(this.origin).addScaledVector(this.direction,e),Ki.distanceToSquared(t))}distanceSqToSegment(t,e,n,s){$h.copy(t).add(e).multiplyScalar(.5),$a.copy(e).sub(t).normalize(),Ms.copy(this.origin).sub($h);let r=t.distanceTo(e)*.5,o=-this.direction.dot($a),a=Ms.dot(this.direction),l=-Ms.dot($a),c=Ms.lengthSq(),h=Math.abs(1-o*o),d,u,f,g;if(h>0)if(d=o*l-a,u=o*a-l,g=r*h,d>=0)if(u>=-g)if(u<=g){let x=1/h;d*=x,u*=x,f=d*(d+o*u+2*a)+u*(o*d+u+2*l)+c}else u=r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*l)+c;else u=-r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*l)+c;else u<=-g?(d=Math.max(0,-(-o*r+a)),u=d>0?-r:Math.min(Math.max(-r,-l),r),f=-d*d+u*(u+2*l)+c):u<=g?(d=0,u=Math.min(Math.max(-r,-l),r),f=u*(u+2*l)+c):(d=Math.max(0,-(o*r+a)),u=d>0?r:Math.min(Math.max(-r,-l),r),f=-d*d+u*(u+2*l)+c);else u=o>0?-r:r,d=Math.max(0,-(o*u+a)),f=-d*d+u*(u+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,d),s&&s.copy($h).addScaledVector($a,u),f}intersectSphere(t,e){Ki.subVectors(t.center,this.origin);let n=Ki.dot(this.direction),s=Ki.dot(Ki)-n*n,r=t.radius*t.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,e):this.at(a,e)}intersectsSphere(t){return this.distanceSqToPoint(t.center)<=t.radius*t.radius}distanceToPlane(t){let e=t.normal.dot(this.direction);if(e===0)return t.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(t.normal)+t.constant)/e;return n>=0?n:null}intersectPlane(t,e){let n=this.distanceToPlane(t);return n===null?null:this.at(n,e)}intersectsPlane(t){let e=t.distanceToPoint(this.origin);return e===0||t.normal.dot(this.direction)*e<0}intersectBox(t,e){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,d=1/this.direction.z,u=this.origin;return c>=0?(n=(t.min.x-u.x)*c,s=(t.max.x-u.x)*c):(n=(t.max.x-u.x)*c,s=(t.min.x-u.x)*c),h>=0?(r=(t.min.y-u.y)*h,o=(t.max.y-u.y)*h):(r=(t.max.y-u.y)*h,o=(t.min.y-u.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),d>=0?(a=(t.min.z-u.z)*d,l=(t.max.z-u.z)*d):(a=(t.max.z-u.z)*d,l=(t.min.z-u.z)*d),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,e)}intersectsBox(t){return this.intersectBox(t,Ki)!==null}intersectTriangle(t,e,n,s,r){Zh.subVectors(e,t),Za.subVectors(n,t),Jh.crossVectors(Zh,Za);let o=this.direction.dot(Jh),a;if(o>0){if(s)return null;a=1}else if(o<0)a=-1,o=-o;else return null;Ms.subVectors(this.origin,t);let l=a*this.direction.dot(Za.crossVectors(Ms,Za));if(l<0)return null;let c=a*this.direction.dot(Zh.cross(Ms));if(c<0||l+c>o)return null;let h=-a*Ms.dot(Jh);return h<0?null:this.at(h/o,r)}applyMatrix4(t){return this.origin.applyMatrix4(t),this.direction.transformDirection(t),this}equals(t){return t.origin.equals(this.origin)&&t.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},ve=class i{constructor(t,e,n,s,r,o,a,l,c,h,d,u,f,g,x,m){i.prototype.isMatrix4=!0,this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],t!==void 0&&this.set(t,e,n,s,r,o,a,l,c,h,d,u,f,g,x,m)}set(t,e,n,s,r,o,a,l,c,h,d,u,f,g,x,m){let p=this.elements;return p[0]=t,p[4]=e,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=d,p[14]=u,p[3]=f,p[7]=g,p[11]=x,p[15]=m,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(t){let e=this.elements,n=t.elements;return e[0]=n[0],e[1]=n[1],e[2]=n[2],e[3]=n[3],e[4]=n[4],e[5]=n[5],e[6]=n[6],e[7]=n[7],e[8]=n[8],e[9]=n[9],e[10]=n[10],e[11]=n[11],e[12]=n[12],e[13]=n[13],e[14]=n[14],e[15]=n[15],this}copyPosition(t){let e=this.elements,n=t.elements;return e[12]=n[12],e[13]=n[13],e[14]=n[14],this}setFromMatrix3(t){let e=t.elements;return this.set(e[0],e[3],e[6],0,e[1],e[4],e[7],0,e[2],e[5],e[8],0,0,0,0,1),this}extractBasis(t,e,n){return t.setFromMatrixColumn(this,0),e.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this}makeBasis(t,e,n){return this.set(t.x,e.x,n.x,0,t.y,e.y,n.y,0,t.z,e.z,n.z,0,0,0,0,1),this}extractRotation(t){let e=this.elements,n=t.elements,s=1/Br.setFromMatrixColumn(t,0).length(),r=1/Br.setFromMatrixColumn(t,1).length(),o=1/Br.setFromMatrixColumn(t,2).length();return e[0]=n[0]*s,e[1]=n[1]*s,e[2]=n[2]*s,e[3]=0,e[4]=n[4]*r,e[5]=n[5]*r,e[6]=n[6]*r,e[7]=0,e[8]=n[8]*o,e[9]=n[9]*o,e[10]=n[10]*o,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromEuler(t){let e=this.elements,n=t.x,s=t.y,r=t.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),d=Math.sin(r);if(t.order==="XYZ"){let u=o*h,f=o*d,g=a*h,x=a*d;e[0]=l*h,e[4]=-l*d,e[8]=c,e[1]=f+g*c,e[5]=u-x*c,e[9]=-a*l,e[2]=x-u*c,e[6]=g+f*c,e[10]=o*l}else if(t.order==="YXZ"){let u=l*h,f=l*d,g=c*h,x=c*d;e[0]=u+x*a,e[4]=g*a-f,e[8]=o*c,e[1]=o*d,e[5]=o*h,e[9]=-a,e[2]=f*a-g,e[6]=x+u*a,e[10]=o*l}else if(t.order==="ZXY"){let u=l*h,f=l*d,g=c*h,x=c*d;e[0]=u-x*a,e[4]=-o*d,e[8]=g+f*a,e[1]=f+g*a,e[5]=o*h,e[9]=x-u*a,e[2]=-o*c,e[6]=a,e[10]=o*l}else if(t.order==="ZYX"){let u=o*h,f=o*d,g=a*h,x=a*d;e[0]=l*h,e[4]=g*c-f,e[8]=u*c+x,e[1]=l*d,e[5]=x*c+u,e[9]=f*c-g,e[2]=-c,e[6]=a*l,e[10]=o*l}else if(t.order==="YZX"){let u=o*l,f=o*c,g=a*l,x=a*c;e[0]=l*h,e[4]=x-u*d,e[8]=g*d+f,e[1]=d,e[5]=o*h,e[9]=-a*h,e[2]=-c*h,e[6]=f*d+g,e[10]=u-x*d}else if(t.order==="XZY"){let u=o*l,f=o*c,g=a*l,x=a*c;e[0]=l*h,e[4]=-d,e[8]=c*h,e[1]=u*d+x,e[5]=o*h,e[9]=f*d-g,e[2]=g*d-f,e[6]=a*h,e[10]=x*d+u}return e[3]=0,e[7]=0,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,this}makeRotationFromQuaternion(t){return this.compose(K0,t,j0)}lookAt(t,e,n){let s=this.elements;return Jn.subVectors(t,e),Jn.lengthSq()===0&&(Jn.z=1),Jn.normalize(),Ss.crossVectors(n,Jn),Ss.lengthSq()===0&&(Math.abs(n.z)===1?Jn.x+=1e-4:Jn.z+=1e-4,Jn.normalize(),Ss.crossVectors(n,Jn)),Ss.normalize(),Ja.crossVectors(Jn,Ss),s[0]=Ss.x,s[4]=Ja.x,s[8]=Jn.x,s[1]=Ss.y,s[5]=Ja.y,s[9]=Jn.y,s[2]=Ss.z,s[6]=Ja.z,s[10]=Jn.z,this}multiply(t){return this.multiplyMatrices(this,t)}premultiply(t){return this.multiplyMatrices(t,this)}multiplyMatrices(t,e){let n=t.elements,s=e.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],d=n[5],u=n[9],f=n[13],g=n[2],x=n[6],m=n[10],p=n[14],T=n[3],b=n[7],S=n[11],P=n[15],R=s[0],L=s[4],N=s[8],E=s[12],v=s[1],A=s[5],V=s[9],z=s[13],W=s[2],Z=s[6],Y=s[10],et=s[14],j=s[3],ut=s[7],ot=s[11],mt=s[15];return r[0]=o*R+a*v+l*W+c*j,r[4]=o*L+a*A+l*Z+c*ut,r[8]=o*N+a*V+l*Y+c*ot,r[12]=o*E+a*z+l*et+c*mt,r[1]=h*R+d*v+u*W+f*j,r[5]=h*L+d*A+u*Z+f*ut,r[9]=h*N+d*V+u*Y+f*ot,r[13]=h*E+d*z+u*et+f*mt,r[2]=g*R+x*v+m*W+p*j,r[6]=g*L+x*A+m*Z+p*ut,r[10]=g*N+x*V+m*Y+p*ot,r[14]=g*E+x*z+m*et+p*mt,r[3]=T*R+b*v+S*W+P*j,r[7]=T*L+b*A+S*Z+P*ut,r[11]=T*N+b*V+S*Y+P*ot,r[15]=T*E+b*z+S*et+P*mt,this}multiplyScalar(t){let e=this.elements;return e[0]*=t,e[4]*=t,e[8]*=t,e[12]*=t,e[1]*=t,e[5]*=t,e[9]*=t,e[13]*=t,e[2]*=t,e[6]*=t,e[10]*=t,e[14]*=t,e[3]*=t,e[7]*=t,e[11]*=t,e[15]*=t,this}determinant(){let t=this.elements,e=t[0],n=t[4],s=t[8],r=t[12],o=t[1],a=t[5],l=t[9],c=t[13],h=t[2],d=t[6],u=t[10],f=t[14],g=t[3],x=t[7],m=t[11],p=t[15];return g*(+r*l*d-s*c*d-r*a*u+n*c*u+s*a*f-n*l*f)+x*(+e*l*f-e*c*u+r*o*u-s*o*f+s*c*h-r*l*h)+m*(+e*c*d-e*a*f-r*o*d+n*o*f+r*a*h-n*c*h)+p*(-s*a*h-e*l*d+e*a*u+s*o*d-n*o*u+n*l*h)}transpose(){let t=this.elements,e;return e=t[1],t[1]=t[4],t[4]=e,e=t[2],t[2]=t[8],t[8]=e,e=t[6],t[6]=t[9],t[9]=e,e=t[3],t[3]=t[12],t[12]=e,e=t[7],t[7]=t[13],t[13]=e,e=t[11],t[11]=t[14],t[14]=e,this}setPosition(t,e,n){let s=this.elements;return t.isVector3?(s[12]=t.x,s[13]=t.y,s[14]=t.z):(s[12]=t,s[13]=e,s[14]=n),this}invert(){let t=this.elements,e=t[0],n=t[1],s=t[2],r=t[3],o=t[4],a=t[5],l=t[6],c=t[7],h=t[8],d=t[9],u=t[10],f=t[11],g=t[12],x=t[13],m=t[14],p=t[15],T=d*m*c-x*u*c+x*l*f-a*m*f-d*l*p+a*u*p,b=g*u*c-h*m*c-g*l*f+o*m*f+h*l*p-o*u*p,S=h*x*c-g*d*c+g*a*f-o*x*f-h*a*p+o*d*p,P=g*d*l-h*x*l-g*a*u+o*x*u+h*a*m-o*d*m,R=e*T+n*b+s*S+r*P;if(R===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let L=1/R;return t[0]=T*L,t[1]=(x*u*r-d*m*r-x*s*f+n*m*f+d*s*p-n*u*p)*L,t[2]=(a*m*r-x*l*r+x*s*c-n*m*c-a*s*p+n*l*p)*L,t[3]=(d*l*r-a*u*r-d*s*c+n*u*c+a*s*f-n*l*f)*L,t[4]=b*L,t[5]=(h*m*r-g*u*r+g*s*f-e*m*f-h*s*p+e*u*p)*L,t[6]=(g*l*r-o*m*r-g*s*c+e*m*c+o*s*p-e*l*p)*L,t[7]=(o*u*r-h*l*r+h*s*c-e*u*c-o*s*f+e*l*f)*L,t[8]=S*L,t[9]=(g*d*r-h*x*r-g*n*f+e*x*f+h*n*p-e*d*p)*L,t[10]=(o*x*r-g*a*r+g*n*c-e*x*c-o*n*p+e*a*p)*L,t[11]=(h*a*r-o*d*r-h*n*c+e*d*c+o*n*f-e*a*f)*L,t[12]=P*L,t[13]=(h*x*s-g*d*s+g*n*u-e*x*u-h*n*m+e*d*m)*L,t[14]=(g*a*s-o*x*s-g*n*l+e*x*l+o*n*m-e*a*m)*L,t[15]=(o*d*s-h*a*s+h*n*l-e*d*l-o*n*u+e*a*u)*L,this}scale(t){let e=this.elements,n=t.x,s=t.y,r=t.z;return e[0]*=n,e[4]*=s,e[8]*=r,e[1]*=n,e[5]*=s,e[9]*=r,e[2]*=n,e[6]*=s,e[10]*=r,e[3]*=n,e[7]*=s,e[11]*=r,this}getMaxScaleOnAxis(){let t=this.elements,e=t[0]*t[0]+t[1]*t[1]+t[2]*t[2],n=t[4]*t[4]+t[5]*t[5]+t[6]*t[6],s=t[8]*t[8]+t[9]*t[9]+t[10]*t[10];return Math.sqrt(Math.max(e,n,s))}makeTranslation(t,e,n){return t.isVector3?this.set(1,0,0,t.x,0,1,0,t.y,0,0,1,t.z,0,0,0,1):this.set(1,0,0,t,0,1,0,e,0,0,1,n,0,0,0,1),this}makeRotationX(t){let e=Math.cos(t),n=Math.sin(t);return this.set(1,0,0,0,0,e,-n,0,0,n,e,0,0,0,0,1),this}makeRotationY(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,0,n,0,0,1,0,0,-n,0,e,0,0,0,0,1),this}makeRotationZ(t){let e=Math.cos(t),n=Math.sin(t);return this.set(e,-n,0,0,n,e,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(t,e){let n=Math.cos(e),s=Math.sin(e),r=1-n,o=t.x,a=t.y,l=t.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(t,e,n){return this.set(t,0,0,0,0,e,0,0,0,0,n,0,0,0,0,1),this}makeShear(t,e,n,s,r,o){return this.set(1,n,r,0,t,1,o,0,e,s,1,0,0,0,0,1),this}compose(t,e,n){let s=this.elements,r=e._x,o=e._y,a=e._z,l=e._w,c=r+r,h=o+o,d=a+a,u=r*c,f=r*h,g=r*d,x=o*h,m=o*d,p=a*d,T=l*c,b=l*h,S=l*d,P=n.x,R=n.y,L=n.z;return s[0]=(1-(x+p))*P,s[1]=(f+S)*P,s[2]=(g-b)*P,s[3]=0,s[4]=(f-S)*R,s[5]=(1-(u+p))*R,s[6]=(m+T)*R,s[7]=0,s[8]=(g+b)*L,s[9]=(m-T)*L,s[10]=(1-(u+x))*L,s[11]=0,s[12]=t.x,s[13]=t.y,s[14]=t.z,s[15]=1,this}decompose(t,e,n){let s=this.elements,r=Br.set(s[0],s[1],s[2]).length(),o=Br.set(s[4],s[5],s[6]).length(),a=Br.set(s[8],s[9],s[10]).length();this.determinant()<0&&(r=-r),t.x=s[12],t.y=s[13],t.z=s[14],Mi.copy(this);let c=1/r,h=1/o,d=1/a;return Mi.elements[0]*=c,Mi.elements[1]*=c,Mi.elements[2]*=c,Mi.elements[4]*=h,Mi.elements[5]*=h,Mi.elements[6]*=h,Mi.elements[8]*=d,Mi.elements[9]*=d,Mi.elements[10]*=d,e.setFromRotationMatrix(Mi),n.x=r,n.y=o,n.z=a,this}makePerspective(t,e,n,s,r,o,a=Ni){let l=this.elements,c=2*r/(e-t),h=2*r/(n-s),d=(e+t)/(e-t),u=(n+s)/(n-s),f,g;if(a===Ni)f=-(o+r)/(o-r),g=-2*o*r/(o-r);else if(a===Wo)f=-o/(o-r),g=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return l[0]=c,l[4]=0,l[8]=d,l[12]=0,l[1]=0,l[5]=h,l[9]=u,l[13]=0,l[2]=0,l[6]=0,l[10]=f,l[14]=g,l[3]=0,l[7]=0,l[11]=-1,l[15]=0,this}makeOrthographic(t,e,n,s,r,o,a=Ni){let l=this.elements,c=1/(e-t),h=1/(n-s),d=1/(o-r),u=(e+t)*c,f=(n+s)*h,g,x;if(a===Ni)g=(o+r)*d,x=-2*d;else if(a===Wo)g=r*d,x=-1*d;else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return l[0]=2*c,l[4]=0,l[8]=0,l[12]=-u,l[1]=0,l[5]=2*h,l[9]=0,l[13]=-f,l[2]=0,l[6]=0,l[10]=x,l[14]=-g,l[3]=0,l[7]=0,l[11]=0,l[15]=1,this}equals(t){let e=this.elements,n=t.elements;for(let s=0;s<16;s++)if(e[s]!==n[s])return!1;return!0}fromArray(t,e=0){for(let n=0;n<16;n++)this.elements[n]=t[n+e];return this}toArray(t=[],e=0){let n=this.elements;return t[e]=n[0],t[e+1]=n[1],t[e+2]=n[2],t[e+3]=n[3],t[e+4]=n[4],t[e+5]=n[5],t[e+6]=n[6],t[e+7]=n[7],t[e+8]=n[8],t[e+9]=n[9],t[e+10]=n[10],t[e+11]=n[11],t[e+12]=n[12],t[e+13]=n[13],t[e+14]=n[14],t[e+15]=n[15],t}},Br=new U,Mi=new ve,K0=new U(0,0,0),j0=new U(1,1,1),Ss=new U,Ja=new U,Jn=new U,Lf=new ve,Df=new Gn,ai=class i{constructor(t=0,e=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=t,this._y=e,this._z=n,this._order=s}get x(){return this._x}set x(t){this._x=t,this._onChangeCallback()}get y(){return this._y}set y(t){this._y=t,this._onChangeCallback()}get z(){return this._z}set z(t){this._z=t,this._onChangeCallback()}get order(){return this._order}set order(t){this._order=t,this._onChangeCallback()}set(t,e,n,s=this._order){return this._x=t,this._y=e,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(t){return this._x=t._x,this._y=t._y,this._z=t._z,this._order=t._order,this._onChangeCallback(),this}setFromRotationMatrix(t,e=this._order,n=!0){let s=t.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],d=s[2],u=s[6],f=s[10];switch(e){case"XYZ":this._y=Math.asin(se(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(u,c),this._z=0);break;case"YXZ":this._x=Math.asin(-se(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-d,r),this._z=0);break;case"ZXY":this._x=Math.asin(se(u,-1,1)),Math.abs(u)<.9999999?(this._y=Math.atan2(-d,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-se(d,-1,1)),Math.abs(d)<.9999999?(this._x=Math.atan2(u,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(se(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-d,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-se(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(u,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:console.warn("THREE.Euler: .setFromRotationMatrix() encountered an unknown order: "+e)}return this._order=e,n===!0&&this._onChangeCallback(),this}setFromQuaternion(t,e,n){return Lf.makeRotationFromQuaternion(t),this.setFromRotationMatrix(Lf,e,n)}setFromVector3(t,e=this._order){return this.set(t.x,t.y,t.z,e)}reorder(t){return Df.setFromEuler(this),this.setFromQuaternion(Df,t)}equals(t){return t._x===this._x&&t._y===this._y&&t._z===this._z&&t._order===this._order}fromArray(t){return this._x=t[0],this._y=t[1],this._z=t[2],t[3]!==void 0&&(this._order=t[3]),this._onChangeCallback(),this}toArray(t=[],e=0){return t[e]=this._x,t[e+1]=this._y,t[e+2]=this._z,t[e+3]=this._order,t}_onChange(t){return this._onChangeCallback=t,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};ai.DEFAULT_ORDER="XYZ";var Jr=class{constructor(){this.mask=1}set(t){this.mask=(1<<t|0)>>>0}enable(t){this.mask|=1<<t|0}enableAll(){this.mask=-1}toggle(t){this.mask^=1<<t|0}disable(t){this.mask&=~(1<<t|0)}disableAll(){this.mask=0}test(t){return(this.mask&t.mask)!==0}isEnabled(t){return(this.mask&(1<<t|0))!==0}},Q0=0,Uf=new U,kr=new Gn,ji=new ve,Ka=new U,Do=new U,t_=new U,e_=new Gn,Nf=new U(1,0,0),Ff=new U(0,1,0),Of=new U(0,0,1),Bf={type:"added"},n_={type:"removed"},zr={type:"childadded",child:null},Kh={type:"childremoved",child:null},vn=class i extends Fi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:Q0++}),this.uuid=io(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let t=new U,e=new ai,n=new Gn,s=new U(1,1,1);function r(){n.setFromEuler(e,!1)}function o(){e.setFromQuaternion(n,void 0,!1)}e._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:t},rotation:{configurable:!0,enumerable:!0,value:e},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new ve},normalMatrix:{value:new ee}}),this.matrix=new ve,this.matrixWorld=new ve,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new Jr,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.userData={}}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(t){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(t),this.matrix.decompose(this.position,this.quaternion,this.scale)}applyQuaternion(t){return this.quaternion.premultiply(t),this}setRotationFromAxisAngle(t,e){this.quaternion.setFromAxisAngle(t,e)}setRotationFromEuler(t){this.quaternion.setFromEuler(t,!0)}setRotationFromMatrix(t){this.quaternion.setFromRotationMatrix(t)}setRotationFromQuaternion(t){this.quaternion.copy(t)}rotateOnAxis(t,e){return kr.setFromAxisAngle(t,e),this.quaternion.multiply(kr),this}rotateOnWorldAxis(t,e){return kr.setFromAxisAngle(t,e),this.quaternion.premultiply(kr),this}rotateX(t){return this.rotateOnAxis(Nf,t)}rotateY(t){return this.rotateOnAxis(Ff,t)}rotateZ(t){return this.rotateOnAxis(Of,t)}translateOnAxis(t,e){return Uf.copy(t).applyQuaternion(this.quaternion),this.position.add(Uf.multiplyScalar(e)),this}translateX(t){return this.translateOnAxis(Nf,t)}translateY(t){return this.translateOnAxis(Ff,t)}translateZ(t){return this.translateOnAxis(Of,t)}localToWorld(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(this.matrixWorld)}worldToLocal(t){return this.updateWorldMatrix(!0,!1),t.applyMatrix4(ji.copy(this.matrixWorld).invert())}lookAt(t,e,n){t.isVector3?Ka.copy(t):Ka.set(t,e,n);let s=this.parent;this.updateWorldMatrix(!0,!1),Do.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?ji.lookAt(Do,Ka,this.up):ji.lookAt(Ka,Do,this.up),this.quaternion.setFromRotationMatrix(ji),s&&(ji.extractRotation(s.matrixWorld),kr.setFromRotationMatrix(ji),this.quaternion.premultiply(kr.invert()))}add(t){if(arguments.length>1){for(let e=0;e<arguments.length;e++)this.add(arguments[e]);return this}return t===this?(console.error("THREE.Object3D.add: object can't be added as a child of itself.",t),this):(t&&t.isObject3D?(t.removeFromParent(),t.parent=this,this.children.push(t),t.dispatchEvent(Bf),zr.child=t,this.dispatchEvent(zr),zr.child=null):console.error("THREE.Object3D.add: object not an instance of THREE.Object3D.",t),this)}remove(t){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let e=this.children.indexOf(t);return e!==-1&&(t.parent=null,this.children.splice(e,1),t.dispatchEvent(n_),Kh.child=t,this.dispatchEvent(Kh),Kh.child=null),this}removeFromParent(){let t=this.parent;return t!==null&&t.remove(this),this}clear(){return this.remove(...this.children)}attach(t){return this.updateWorldMatrix(!0,!1),ji.copy(this.matrixWorld).invert(),t.parent!==null&&(t.parent.updateWorldMatrix(!0,!1),ji.multiply(t.parent.matrixWorld)),t.applyMatrix4(ji),t.removeFromParent(),t.parent=this,this.children.push(t),t.updateWorldMatrix(!1,!0),t.dispatchEvent(Bf),zr.child=t,this.dispatchEvent(zr),zr.child=null,this}getObjectById(t){return this.getObjectByProperty("id",t)}getObjectByName(t){return this.getObjectByProperty("name",t)}getObjectByProperty(t,e){if(this[t]===e)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(t,e);if(o!==void 0)return o}}getObjectsByProperty(t,e,n=[]){this[t]===e&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(t,e,n);return n}getWorldPosition(t){return this.updateWorldMatrix(!0,!1),t.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Do,t,t_),t}getWorldScale(t){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(Do,e_,t),t}getWorldDirection(t){this.updateWorldMatrix(!0,!1);let e=this.matrixWorld.elements;return t.set(e[8],e[9],e[10]).normalize()}raycast(){}traverse(t){t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverse(t)}traverseVisible(t){if(this.visible===!1)return;t(this);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].traverseVisible(t)}traverseAncestors(t){let e=this.parent;e!==null&&(t(e),e.traverseAncestors(t))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale),this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(t){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||t)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,t=!0);let e=this.children;for(let n=0,s=e.length;n<s;n++)e[n].updateMatrixWorld(t)}updateWorldMatrix(t,e){let n=this.parent;if(t===!0&&n!==null&&n.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),e===!0){let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].updateWorldMatrix(!1,!0)}}toJSON(t){let e=t===void 0||typeof t=="string",n={};e&&(t={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.6,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,this.name!==""&&(s.name=this.name),this.castShadow===!0&&(s.castShadow=!0),this.receiveShadow===!0&&(s.receiveShadow=!0),this.visible===!1&&(s.visible=!1),this.frustumCulled===!1&&(s.frustumCulled=!1),this.renderOrder!==0&&(s.renderOrder=this.renderOrder),Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.matrixAutoUpdate===!1&&(s.matrixAutoUpdate=!1),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.visibility=this._visibility,s.active=this._active,s.bounds=this._bounds.map(a=>({boxInitialized:a.boxInitialized,boxMin:a.box.min.toArray(),boxMax:a.box.max.toArray(),sphereInitialized:a.sphereInitialized,sphereRadius:a.sphere.radius,sphereCenter:a.sphere.center.toArray()})),s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.geometryCount=this._geometryCount,s.matricesTexture=this._matricesTexture.toJSON(t),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(t)),this.boundingSphere!==null&&(s.boundingSphere={center:s.boundingSphere.center.toArray(),radius:s.boundingSphere.radius}),this.boundingBox!==null&&(s.boundingBox={min:s.boundingBox.min.toArray(),max:s.boundingBox.max.toArray()}));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(t)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(t).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(t).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(t.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let d=l[c];r(t.shapes,d)}else r(t.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(t.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(t.materials,this.material[l]));s.material=a}else s.material=r(t.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(t).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(t.animations,l))}}if(e){let a=o(t.geometries),l=o(t.materials),c=o(t.textures),h=o(t.images),d=o(t.shapes),u=o(t.skeletons),f=o(t.animations),g=o(t.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),d.length>0&&(n.shapes=d),u.length>0&&(n.skeletons=u),f.length>0&&(n.animations=f),g.length>0&&(n.nodes=g)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(t){return new this.constructor().copy(this,t)}copy(t,e=!0){if(this.name=t.name,this.up.copy(t.up),this.position.copy(t.position),this.rotation.order=t.rotation.order,this.quaternion.copy(t.quaternion),this.scale.copy(t.scale),this.matrix.copy(t.matrix),this.matrixWorld.copy(t.matrixWorld),this.matrixAutoUpdate=t.matrixAutoUpdate,this.matrixWorldAutoUpdate=t.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=t.matrixWorldNeedsUpdate,this.layers.mask=t.layers.mask,this.visible=t.visible,this.castShadow=t.castShadow,this.receiveShadow=t.receiveShadow,this.frustumCulled=t.frustumCulled,this.renderOrder=t.renderOrder,this.animations=t.animations.slice(),this.userData=JSON.parse(JSON.stringify(t.userData)),e===!0)for(let n=0;n<t.children.length;n++){let s=t.children[n];this.add(s.clone())}return this}};vn.DEFAULT_UP=new U(0,1,0);vn.DEFAULT_MATRIX_AUTO_UPDATE=!0;vn.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var Si=new U,Qi=new U,jh=new U,ts=new U,Hr=new U,Vr=new U,kf=new U,Qh=new U,tu=new U,eu=new U,nu=new Ve,iu=new Ve,su=new Ve,Es=class i{constructor(t=new U,e=new U,n=new U){this.a=t,this.b=e,this.c=n}static getNormal(t,e,n,s){s.subVectors(n,e),Si.subVectors(t,e),s.cross(Si);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(t,e,n,s,r){Si.subVectors(s,e),Qi.subVectors(n,e),jh.subVectors(t,e);let o=Si.dot(Si),a=Si.dot(Qi),l=Si.dot(jh),c=Qi.dot(Qi),h=Qi.dot(jh),d=o*c-a*a;if(d===0)return r.set(0,0,0),null;let u=1/d,f=(c*l-a*h)*u,g=(o*h-a*l)*u;return r.set(1-f-g,g,f)}static containsPoint(t,e,n,s){return this.getBarycoord(t,e,n,s,ts)===null?!1:ts.x>=0&&ts.y>=0&&ts.x+ts.y<=1}static getInterpolation(t,e,n,s,r,o,a,l){return this.getBarycoord(t,e,n,s,ts)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,ts.x),l.addScaledVector(o,ts.y),l.addScaledVector(a,ts.z),l)}static getInterpolatedAttribute(t,e,n,s,r,o){return nu.setScalar(0),iu.setScalar(0),su.setScalar(0),nu.fromBufferAttribute(t,e),iu.fromBufferAttribute(t,n),su.fromBufferAttribute(t,s),o.setScalar(0),o.addScaledVector(nu,r.x),o.addScaledVector(iu,r.y),o.addScaledVector(su,r.z),o}static isFrontFacing(t,e,n,s){return Si.subVectors(n,e),Qi.subVectors(t,e),Si.cross(Qi).dot(s)<0}set(t,e,n){return this.a.copy(t),this.b.copy(e),this.c.copy(n),this}setFromPointsAndIndices(t,e,n,s){return this.a.copy(t[e]),this.b.copy(t[n]),this.c.copy(t[s]),this}setFromAttributeAndIndices(t,e,n,s){return this.a.fromBufferAttribute(t,e),this.b.fromBufferAttribute(t,n),this.c.fromBufferAttribute(t,s),this}clone(){return new this.constructor().copy(this)}copy(t){return this.a.copy(t.a),this.b.copy(t.b),this.c.copy(t.c),this}getArea(){return Si.subVectors(this.c,this.b),Qi.subVectors(this.a,this.b),Si.cross(Qi).length()*.5}getMidpoint(t){return t.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(t){return i.getNormal(this.a,this.b,this.c,t)}getPlane(t){return t.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(t,e){return i.getBarycoord(t,this.a,this.b,this.c,e)}getInterpolation(t,e,n,s,r){return i.getInterpolation(t,this.a,this.b,this.c,e,n,s,r)}containsPoint(t){return i.containsPoint(t,this.a,this.b,this.c)}isFrontFacing(t){return i.isFrontFacing(this.a,this.b,this.c,t)}intersectsBox(t){return t.intersectsTriangle(this)}closestPointToPoint(t,e){let n=this.a,s=this.b,r=this.c,o,a;Hr.subVectors(s,n),Vr.subVectors(r,n),Qh.subVectors(t,n);let l=Hr.dot(Qh),c=Vr.dot(Qh);if(l<=0&&c<=0)return e.copy(n);tu.subVectors(t,s);let h=Hr.dot(tu),d=Vr.dot(tu);if(h>=0&&d<=h)return e.copy(s);let u=l*d-h*c;if(u<=0&&l>=0&&h<=0)return o=l/(l-h),e.copy(n).addScaledVector(Hr,o);eu.subVectors(t,r);let f=Hr.dot(eu),g=Vr.dot(eu);if(g>=0&&f<=g)return e.copy(r);let x=f*c-l*g;if(x<=0&&c>=0&&g<=0)return a=c/(c-g),e.copy(n).addScaledVector(Vr,a);let m=h*g-f*d;if(m<=0&&d-h>=0&&f-g>=0)return kf.subVectors(r,s),a=(d-h)/(d-h+(f-g)),e.copy(s).addScaledVector(kf,a);let p=1/(m+x+u);return o=x*p,a=u*p,e.copy(n).addScaledVector(Hr,o).addScaledVector(Vr,a)}equals(t){return t.a.equals(this.a)&&t.b.equals(this.b)&&t.c.equals(this.c)}},$p={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},bs={h:0,s:0,l:0},ja={h:0,s:0,l:0};function ru(i,t,e){return e<0&&(e+=1),e>1&&(e-=1),e<1/6?i+(t-i)*6*e:e<1/2?t:e<2/3?i+(t-i)*6*(2/3-e):i}var Xt=class{constructor(t,e,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(t,e,n)}set(t,e,n){if(e===void 0&&n===void 0){let s=t;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(t,e,n);return this}setScalar(t){return this.r=t,this.g=t,this.b=t,this}setHex(t,e=jn){return t=Math.floor(t),this.r=(t>>16&255)/255,this.g=(t>>8&255)/255,this.b=(t&255)/255,ge.toWorkingColorSpace(this,e),this}setRGB(t,e,n,s=ge.workingColorSpace){return this.r=t,this.g=e,this.b=n,ge.toWorkingColorSpace(this,s),this}setHSL(t,e,n,s=ge.workingColorSpace){if(t=Hu(t,1),e=se(e,0,1),n=se(n,0,1),e===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+e):n+e-n*e,o=2*n-r;this.r=ru(o,r,t+1/3),this.g=ru(o,r,t),this.b=ru(o,r,t-1/3)}return ge.toWorkingColorSpace(this,s),this}setStyle(t,e=jn){function n(r){r!==void 0&&parseFloat(r)<1&&console.warn("THREE.Color: Alpha component of "+t+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(t)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,e);if(r=/^\s*(\d+)\%\s*,\s*(\d+)\%\s*,\s*(\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseInt(r[1],10))/100,Math.min(100,parseInt(r[2],10))/100,Math.min(100,parseInt(r[3],10))/100,e);break;case"hsl":case"hsla":if(r=/^\s*(\d*\.?\d+)\s*,\s*(\d*\.?\d+)\%\s*,\s*(\d*\.?\d+)\%\s*(?:,\s*(\d*\.?\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,e);break;default:console.warn("THREE.Color: Unknown color model "+t)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(t)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,e);if(o===6)return this.setHex(parseInt(r,16),e);console.warn("THREE.Color: Invalid hex color "+t)}else if(t&&t.length>0)return this.setColorName(t,e);return this}setColorName(t,e=jn){let n=$p[t.toLowerCase()];return n!==void 0?this.setHex(n,e):console.warn("THREE.Color: Unknown color "+t),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(t){return this.r=t.r,this.g=t.g,this.b=t.b,this}copySRGBToLinear(t){return this.r=es(t.r),this.g=es(t.g),this.b=es(t.b),this}copyLinearToSRGB(t){return this.r=$r(t.r),this.g=$r(t.g),this.b=$r(t.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(t=jn){return ge.fromWorkingColorSpace(Tn.copy(this),t),Math.round(se(Tn.r*255,0,255))*65536+Math.round(se(Tn.g*255,0,255))*256+Math.round(se(Tn.b*255,0,255))}getHexString(t=jn){return("000000"+this.getHex(t).toString(16)).slice(-6)}getHSL(t,e=ge.workingColorSpace){ge.fromWorkingColorSpace(Tn.copy(this),e);let n=Tn.r,s=Tn.g,r=Tn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let d=o-a;switch(c=h<=.5?d/(o+a):d/(2-o-a),o){case n:l=(s-r)/d+(s<r?6:0);break;case s:l=(r-n)/d+2;break;case r:l=(n-s)/d+4;break}l/=6}return t.h=l,t.s=c,t.l=h,t}getRGB(t,e=ge.workingColorSpace){return ge.fromWorkingColorSpace(Tn.copy(this),e),t.r=Tn.r,t.g=Tn.g,t.b=Tn.b,t}getStyle(t=jn){ge.fromWorkingColorSpace(Tn.copy(this),t);let e=Tn.r,n=Tn.g,s=Tn.b;return t!==jn?`color(${t} ${e.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(e*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(t,e,n){return this.getHSL(bs),this.setHSL(bs.h+t,bs.s+e,bs.l+n)}add(t){return this.r+=t.r,this.g+=t.g,this.b+=t.b,this}addColors(t,e){return this.r=t.r+e.r,this.g=t.g+e.g,this.b=t.b+e.b,this}addScalar(t){return this.r+=t,this.g+=t,this.b+=t,this}sub(t){return this.r=Math.max(0,this.r-t.r),this.g=Math.max(0,this.g-t.g),this.b=Math.max(0,this.b-t.b),this}multiply(t){return this.r*=t.r,this.g*=t.g,this.b*=t.b,this}multiplyScalar(t){return this.r*=t,this.g*=t,this.b*=t,this}lerp(t,e){return this.r+=(t.r-this.r)*e,this.g+=(t.g-this.g)*e,this.b+=(t.b-this.b)*e,this}lerpColors(t,e,n){return this.r=t.r+(e.r-t.r)*n,this.g=t.g+(e.g-t.g)*n,this.b=t.b+(e.b-t.b)*n,this}lerpHSL(t,e){this.getHSL(bs),t.getHSL(ja);let n=ko(bs.h,ja.h,e),s=ko(bs.s,ja.s,e),r=ko(bs.l,ja.l,e);return this.setHSL(n,s,r),this}setFromVector3(t){return this.r=t.x,this.g=t.y,this.b=t.z,this}applyMatrix3(t){let e=this.r,n=this.g,s=this.b,r=t.elements;return this.r=r[0]*e+r[3]*n+r[6]*s,this.g=r[1]*e+r[4]*n+r[7]*s,this.b=r[2]*e+r[5]*n+r[8]*s,this}equals(t){return t.r===this.r&&t.g===this.g&&t.b===this.b}fromArray(t,e=0){return this.r=t[e],this.g=t[e+1],this.b=t[e+2],this}toArray(t=[],e=0){return t[e]=this.r,t[e+1]=this.g,t[e+2]=this.b,t}fromBufferAttribute(t,e){return this.r=t.getX(e),this.g=t.getY(e),this.b=t.getZ(e),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},Tn=new Xt;Xt.NAMES=$p;var i_=0,li=class extends Fi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:i_++}),this.uuid=io(),this.name="",this.type="Material",this.blending=Ks,this.side=ns,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=gl,this.blendDst=_l,this.blendEquation=As,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Xt(0,0,0),this.blendAlpha=0,this.depthFunc=js,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=_u,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=Zs,this.stencilZFail=Zs,this.stencilZPass=Zs,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(t){this._alphaTest>0!=t>0&&this.version++,this._alphaTest=t}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(t){if(t!==void 0)for(let e in t){let n=t[e];if(n===void 0){console.warn(`THREE.Material: parameter '${e}' has value of undefined.`);continue}let s=this[e];if(s===void 0){console.warn(`THREE.Material: '${e}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[e]=n}}toJSON(t){let e=t===void 0||typeof t=="string";e&&(t={textures:{},images:{}});let n={metadata:{version:4.6,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,this.name!==""&&(n.name=this.name),this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&this.emissiveIntensity!==1&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(t).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(t).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(t).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessRange!==void 0&&(n.iridescenceThicknessRange=this.iridescenceThicknessRange),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(t).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(t).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(t).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(t).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(t).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(t).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(t).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(t).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(t).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(t).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(t).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(t).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(t).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(t).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(t).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(t).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(t).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(t).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(t).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(t).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(t).uuid),this.attenuationDistance!==void 0&&this.attenuationDistance!==1/0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.shadowSide!==null&&(n.shadowSide=this.shadowSide),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),this.blending!==Ks&&(n.blending=this.blending),this.side!==ns&&(n.side=this.side),this.vertexColors===!0&&(n.vertexColors=!0),this.opacity<1&&(n.opacity=this.opacity),this.transparent===!0&&(n.transparent=!0),this.blendSrc!==gl&&(n.blendSrc=this.blendSrc),this.blendDst!==_l&&(n.blendDst=this.blendDst),this.blendEquation!==As&&(n.blendEquation=this.blendEquation),this.blendSrcAlpha!==null&&(n.blendSrcAlpha=this.blendSrcAlpha),this.blendDstAlpha!==null&&(n.blendDstAlpha=this.blendDstAlpha),this.blendEquationAlpha!==null&&(n.blendEquationAlpha=this.blendEquationAlpha),this.blendColor&&this.blendColor.isColor&&(n.blendColor=this.blendColor.getHex()),this.blendAlpha!==0&&(n.blendAlpha=this.blendAlpha),this.depthFunc!==js&&(n.depthFunc=this.depthFunc),this.depthTest===!1&&(n.depthTest=this.depthTest),this.depthWrite===!1&&(n.depthWrite=this.depthWrite),this.colorWrite===!1&&(n.colorWrite=this.colorWrite),this.stencilWriteMask!==255&&(n.stencilWriteMask=this.stencilWriteMask),this.stencilFunc!==_u&&(n.stencilFunc=this.stencilFunc),this.stencilRef!==0&&(n.stencilRef=this.stencilRef),this.stencilFuncMask!==255&&(n.stencilFuncMask=this.stencilFuncMask),this.stencilFail!==Zs&&(n.stencilFail=this.stencilFail),this.stencilZFail!==Zs&&(n.stencilZFail=this.stencilZFail),this.stencilZPass!==Zs&&(n.stencilZPass=this.stencilZPass),this.stencilWrite===!0&&(n.stencilWrite=this.stencilWrite),this.rotation!==void 0&&this.rotation!==0&&(n.rotation=this.rotation),this.polygonOffset===!0&&(n.polygonOffset=!0),this.polygonOffsetFactor!==0&&(n.polygonOffsetFactor=this.polygonOffsetFactor),this.polygonOffsetUnits!==0&&(n.polygonOffsetUnits=this.polygonOffsetUnits),this.linewidth!==void 0&&this.linewidth!==1&&(n.linewidth=this.linewidth),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.dithering===!0&&(n.dithering=!0),this.alphaTest>0&&(n.alphaTest=this.alphaTest),this.alphaHash===!0&&(n.alphaHash=!0),this.alphaToCoverage===!0&&(n.alphaToCoverage=!0),this.premultipliedAlpha===!0&&(n.premultipliedAlpha=!0),this.forceSinglePass===!0&&(n.forceSinglePass=!0),this.wireframe===!0&&(n.wireframe=!0),this.wireframeLinewidth>1&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!=="round"&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!=="round"&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading===!0&&(n.flatShading=!0),this.visible===!1&&(n.visible=!1),this.toneMapped===!1&&(n.toneMapped=!1),this.fog===!1&&(n.fog=!1),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(e){let r=s(t.textures),o=s(t.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}clone(){return new this.constructor().copy(this)}copy(t){this.name=t.name,this.blending=t.blending,this.side=t.side,this.vertexColors=t.vertexColors,this.opacity=t.opacity,this.transparent=t.transparent,this.blendSrc=t.blendSrc,this.blendDst=t.blendDst,this.blendEquation=t.blendEquation,this.blendSrcAlpha=t.blendSrcAlpha,this.blendDstAlpha=t.blendDstAlpha,this.blendEquationAlpha=t.blendEquationAlpha,this.blendColor.copy(t.blendColor),this.blendAlpha=t.blendAlpha,this.depthFunc=t.depthFunc,this.depthTest=t.depthTest,this.depthWrite=t.depthWrite,this.stencilWriteMask=t.stencilWriteMask,this.stencilFunc=t.stencilFunc,this.stencilRef=t.stencilRef,this.stencilFuncMask=t.stencilFuncMask,this.stencilFail=t.stencilFail,this.stencilZFail=t.stencilZFail,this.stencilZPass=t.stencilZPass,this.stencilWrite=t.stencilWrite;let e=t.clippingPlanes,n=null;if(e!==null){let s=e.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=e[r].clone()}return this.clippingPlanes=n,this.clipIntersection=t.clipIntersection,this.clipShadows=t.clipShadows,this.shadowSide=t.shadowSide,this.colorWrite=t.colorWrite,this.precision=t.precision,this.polygonOffset=t.polygonOffset,this.polygonOffsetFactor=t.polygonOffsetFactor,this.polygonOffsetUnits=t.polygonOffsetUnits,this.dithering=t.dithering,this.alphaTest=t.alphaTest,this.alphaHash=t.alphaHash,this.alphaToCoverage=t.alphaToCoverage,this.premultipliedAlpha=t.premultipliedAlpha,this.forceSinglePass=t.forceSinglePass,this.visible=t.visible,this.toneMapped=t.toneMapped,this.userData=JSON.parse(JSON.stringify(t.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(t){t===!0&&this.version++}onBuild(){console.warn("Material: onBuild() has been removed.")}},ci=class extends li{constructor(t){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Xt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ai,this.combine=oc,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.fog=t.fog,this}};var tn=new U,Qa=new It,en=class{constructor(t,e,n=!1){if(Array.isArray(t))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,this.name="",this.array=t,this.itemSize=e,this.count=t!==void 0?t.length/e:0,this.normalized=n,this.usage=xu,this.updateRanges=[],this.gpuType=Ei,this.version=0}onUploadCallback(){}set needsUpdate(t){t===!0&&this.version++}setUsage(t){return this.usage=t,this}addUpdateRange(t,e){this.updateRanges.push({start:t,count:e})}clearUpdateRanges(){this.updateRanges.length=0}copy(t){return this.name=t.name,this.array=new t.array.constructor(t.array),this.itemSize=t.itemSize,this.count=t.count,this.normalized=t.normalized,this.usage=t.usage,this.gpuType=t.gpuType,this}copyAt(t,e,n){t*=this.itemSize,n*=e.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[t+s]=e.array[n+s];return this}copyArray(t){return this.array.set(t),this}applyMatrix3(t){if(this.itemSize===2)for(let e=0,n=this.count;e<n;e++)Qa.fromBufferAttribute(this,e),Qa.applyMatrix3(t),this.setXY(e,Qa.x,Qa.y);else if(this.itemSize===3)for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyMatrix3(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}applyMatrix4(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyMatrix4(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}applyNormalMatrix(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.applyNormalMatrix(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}transformDirection(t){for(let e=0,n=this.count;e<n;e++)tn.fromBufferAttribute(this,e),tn.transformDirection(t),this.setXYZ(e,tn.x,tn.y,tn.z);return this}set(t,e=0){return this.array.set(t,e),this}getComponent(t,e){let n=this.array[t*this.itemSize+e];return this.normalized&&(n=Yr(n,this.array)),n}setComponent(t,e,n){return this.normalized&&(n=Nn(n,this.array)),this.array[t*this.itemSize+e]=n,this}getX(t){let e=this.array[t*this.itemSize];return this.normalized&&(e=Yr(e,this.array)),e}setX(t,e){return this.normalized&&(e=Nn(e,this.array)),this.array[t*this.itemSize]=e,this}getY(t){let e=this.array[t*this.itemSize+1];return this.normalized&&(e=Yr(e,this.array)),e}setY(t,e){return this.normalized&&(e=Nn(e,this.array)),this.array[t*this.itemSize+1]=e,this}getZ(t){let e=this.array[t*this.itemSize+2];return this.normalized&&(e=Yr(e,this.array)),e}setZ(t,e){return this.normalized&&(e=Nn(e,this.array)),this.array[t*this.itemSize+2]=e,this}getW(t){let e=this.array[t*this.itemSize+3];return this.normalized&&(e=Yr(e,this.array)),e}setW(t,e){return this.normalized&&(e=Nn(e,this.array)),this.array[t*this.itemSize+3]=e,this}setXY(t,e,n){return t*=this.itemSize,this.normalized&&(e=Nn(e,this.array),n=Nn(n,this.array)),this.array[t+0]=e,this.array[t+1]=n,this}setXYZ(t,e,n,s){return t*=this.itemSize,this.normalized&&(e=Nn(e,this.array),n=Nn(n,this.array),s=Nn(s,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this}setXYZW(t,e,n,s,r){return t*=this.itemSize,this.normalized&&(e=Nn(e,this.array),n=Nn(n,this.array),s=Nn(s,this.array),r=Nn(r,this.array)),this.array[t+0]=e,this.array[t+1]=n,this.array[t+2]=s,this.array[t+3]=r,this}onUpload(t){return this.onUploadCallback=t,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let t={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return this.name!==""&&(t.name=this.name),this.usage!==xu&&(t.usage=this.usage),t}};var $o=class extends en{constructor(t,e,n){super(new Uint16Array(t),e,n)}};var Zo=class extends en{constructor(t,e,n){super(new Uint32Array(t),e,n)}};var Le=class extends en{constructor(t,e,n){super(new Float32Array(t),e,n)}},s_=0,oi=new ve,ou=new vn,Gr=new U,Kn=new yn,Uo=new yn,xn=new U,Ze=class i extends Fi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:s_++}),this.uuid=io(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={}}getIndex(){return this.index}setIndex(t){return Array.isArray(t)?this.index=new(Gu(t)?Zo:$o)(t,1):this.index=t,this}setIndirect(t){return this.indirect=t,this}getIndirect(){return this.indirect}getAttribute(t){return this.attributes[t]}setAttribute(t,e){return this.attributes[t]=e,this}deleteAttribute(t){return delete this.attributes[t],this}hasAttribute(t){return this.attributes[t]!==void 0}addGroup(t,e,n=0){this.groups.push({start:t,count:e,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(t,e){this.drawRange.start=t,this.drawRange.count=e}applyMatrix4(t){let e=this.attributes.position;e!==void 0&&(e.applyMatrix4(t),e.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new ee().getNormalMatrix(t);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(t),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}applyQuaternion(t){return oi.makeRotationFromQuaternion(t),this.applyMatrix4(oi),this}rotateX(t){return oi.makeRotationX(t),this.applyMatrix4(oi),this}rotateY(t){return oi.makeRotationY(t),this.applyMatrix4(oi),this}rotateZ(t){return oi.makeRotationZ(t),this.applyMatrix4(oi),this}translate(t,e,n){return oi.makeTranslation(t,e,n),this.applyMatrix4(oi),this}scale(t,e,n){return oi.makeScale(t,e,n),this.applyMatrix4(oi),this}lookAt(t){return ou.lookAt(t),ou.updateMatrix(),this.applyMatrix4(ou.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(Gr).negate(),this.translate(Gr.x,Gr.y,Gr.z),this}setFromPoints(t){let e=this.getAttribute("position");if(e===void 0){let n=[];for(let s=0,r=t.length;s<r;s++){let o=t[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new Le(n,3))}else{let n=Math.min(t.length,e.count);for(let s=0;s<n;s++){let r=t[s];e.setXYZ(s,r.x,r.y,r.z||0)}t.length>e.count&&console.warn("THREE.BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),e.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new yn);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new U(-1/0,-1/0,-1/0),new U(1/0,1/0,1/0));return}if(t!==void 0){if(this.boundingBox.setFromBufferAttribute(t),e)for(let n=0,s=e.length;n<s;n++){let r=e[n];Kn.setFromBufferAttribute(r),this.morphTargetsRelative?(xn.addVectors(this.boundingBox.min,Kn.min),this.boundingBox.expandByPoint(xn),xn.addVectors(this.boundingBox.max,Kn.max),this.boundingBox.expandByPoint(xn)):(this.boundingBox.expandByPoint(Kn.min),this.boundingBox.expandByPoint(Kn.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&console.error('THREE.BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Bi);let t=this.attributes.position,e=this.morphAttributes.position;if(t&&t.isGLBufferAttribute){console.error("THREE.BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new U,1/0);return}if(t){let n=this.boundingSphere.center;if(Kn.setFromBufferAttribute(t),e)for(let r=0,o=e.length;r<o;r++){let a=e[r];Uo.setFromBufferAttribute(a),this.morphTargetsRelative?(xn.addVectors(Kn.min,Uo.min),Kn.expandByPoint(xn),xn.addVectors(Kn.max,Uo.max),Kn.expandByPoint(xn)):(Kn.expandByPoint(Uo.min),Kn.expandByPoint(Uo.max))}Kn.getCenter(n);let s=0;for(let r=0,o=t.count;r<o;r++)xn.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(xn));if(e)for(let r=0,o=e.length;r<o;r++){let a=e[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)xn.fromBufferAttribute(a,c),l&&(Gr.fromBufferAttribute(t,c),xn.add(Gr)),s=Math.max(s,n.distanceToSquared(xn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error('THREE.BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let t=this.index,e=this.attributes;if(t===null||e.position===void 0||e.normal===void 0||e.uv===void 0){console.error("THREE.BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=e.position,s=e.normal,r=e.uv;this.hasAttribute("tangent")===!1&&this.setAttribute("tangent",new en(new Float32Array(4*n.count),4));let o=this.getAttribute("tangent"),a=[],l=[];for(let N=0;N<n.count;N++)a[N]=new U,l[N]=new U;let c=new U,h=new U,d=new U,u=new It,f=new It,g=new It,x=new U,m=new U;function p(N,E,v){c.fromBufferAttribute(n,N),h.fromBufferAttribute(n,E),d.fromBufferAttribute(n,v),u.fromBufferAttribute(r,N),f.fromBufferAttribute(r,E),g.fromBufferAttribute(r,v),h.sub(c),d.sub(c),f.sub(u),g.sub(u);let A=1/(f.x*g.y-g.x*f.y);isFinite(A)&&(x.copy(h).multiplyScalar(g.y).addScaledVector(d,-f.y).multiplyScalar(A),m.copy(d).multiplyScalar(f.x).addScaledVector(h,-g.x).multiplyScalar(A),a[N].add(x),a[E].add(x),a[v].add(x),l[N].add(m),l[E].add(m),l[v].add(m))}let T=this.groups;T.length===0&&(T=[{start:0,count:t.count}]);for(let N=0,E=T.length;N<E;++N){let v=T[N],A=v.start,V=v.count;for(let z=A,W=A+V;z<W;z+=3)p(t.getX(z+0),t.getX(z+1),t.getX(z+2))}let b=new U,S=new U,P=new U,R=new U;function L(N){P.fromBufferAttribute(s,N),R.copy(P);let E=a[N];b.copy(E),b.sub(P.multiplyScalar(P.dot(E))).normalize(),S.crossVectors(R,E);let A=S.dot(l[N])<0?-1:1;o.setXYZW(N,b.x,b.y,b.z,A)}for(let N=0,E=T.length;N<E;++N){let v=T[N],A=v.start,V=v.count;for(let z=A,W=A+V;z<W;z+=3)L(t.getX(z+0)),L(t.getX(z+1)),L(t.getX(z+2))}}computeVertexNormals(){let t=this.index,e=this.getAttribute("position");if(e!==void 0){let n=this.getAttribute("normal");if(n===void 0)n=new en(new Float32Array(e.count*3),3),this.setAttribute("normal",n);else for(let u=0,f=n.count;u<f;u++)n.setXYZ(u,0,0,0);let s=new U,r=new U,o=new U,a=new U,l=new U,c=new U,h=new U,d=new U;if(t)for(let u=0,f=t.count;u<f;u+=3){let g=t.getX(u+0),x=t.getX(u+1),m=t.getX(u+2);s.fromBufferAttribute(e,g),r.fromBufferAttribute(e,x),o.fromBufferAttribute(e,m),h.subVectors(o,r),d.subVectors(s,r),h.cross(d),a.fromBufferAttribute(n,g),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,m),a.add(h),l.add(h),c.add(h),n.setXYZ(g,a.x,a.y,a.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(m,c.x,c.y,c.z)}else for(let u=0,f=e.count;u<f;u+=3)s.fromBufferAttribute(e,u+0),r.fromBufferAttribute(e,u+1),o.fromBufferAttribute(e,u+2),h.subVectors(o,r),d.subVectors(s,r),h.cross(d),n.setXYZ(u+0,h.x,h.y,h.z),n.setXYZ(u+1,h.x,h.y,h.z),n.setXYZ(u+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let t=this.attributes.normal;for(let e=0,n=t.count;e<n;e++)xn.fromBufferAttribute(t,e),xn.normalize(),t.setXYZ(e,xn.x,xn.y,xn.z)}toNonIndexed(){function t(a,l){let c=a.array,h=a.itemSize,d=a.normalized,u=new c.constructor(l.length*h),f=0,g=0;for(let x=0,m=l.length;x<m;x++){a.isInterleavedBufferAttribute?f=l[x]*a.data.stride+a.offset:f=l[x]*h;for(let p=0;p<h;p++)u[g++]=c[f++]}return new en(u,h,d)}if(this.index===null)return console.warn("THREE.BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let e=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=t(l,n);e.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,d=c.length;h<d;h++){let u=c[h],f=t(u,n);l.push(f)}e.morphAttributes[a]=l}e.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];e.addGroup(c.start,c.count,c.materialIndex)}return e}toJSON(){let t={metadata:{version:4.6,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(t.uuid=this.uuid,t.type=this.type,this.name!==""&&(t.name=this.name),Object.keys(this.userData).length>0&&(t.userData=this.userData),this.parameters!==void 0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(t[c]=l[c]);return t}t.data={attributes:{}};let e=this.index;e!==null&&(t.data.index={type:e.array.constructor.name,array:Array.prototype.slice.call(e.array)});let n=this.attributes;for(let l in n){let c=n[l];t.data.attributes[l]=c.toJSON(t.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let d=0,u=c.length;d<u;d++){let f=c[d];h.push(f.toJSON(t.data))}h.length>0&&(s[l]=h,r=!0)}r&&(t.data.morphAttributes=s,t.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(t.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(t.data.boundingSphere={center:a.center.toArray(),radius:a.radius}),t}clone(){return new this.constructor().copy(this)}copy(t){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let e={};this.name=t.name;let n=t.index;n!==null&&this.setIndex(n.clone(e));let s=t.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(e))}let r=t.morphAttributes;for(let c in r){let h=[],d=r[c];for(let u=0,f=d.length;u<f;u++)h.push(d[u].clone(e));this.morphAttributes[c]=h}this.morphTargetsRelative=t.morphTargetsRelative;let o=t.groups;for(let c=0,h=o.length;c<h;c++){let d=o[c];this.addGroup(d.start,d.count,d.materialIndex)}let a=t.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=t.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=t.drawRange.start,this.drawRange.count=t.drawRange.count,this.userData=t.userData,this}dispose(){this.dispatchEvent({type:"dispose"})}},zf=new ve,Ys=new is,tl=new Bi,Hf=new U,el=new U,nl=new U,il=new U,au=new U,sl=new U,Vf=new U,rl=new U,De=class extends vn{constructor(t=new Ze,e=new ci){super(),this.isMesh=!0,this.type="Mesh",this.geometry=t,this.material=e,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),t.morphTargetInfluences!==void 0&&(this.morphTargetInfluences=t.morphTargetInfluences.slice()),t.morphTargetDictionary!==void 0&&(this.morphTargetDictionary=Object.assign({},t.morphTargetDictionary)),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(t,e){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;e.fromBufferAttribute(s,t);let a=this.morphTargetInfluences;if(r&&a){sl.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],d=r[l];h!==0&&(au.fromBufferAttribute(d,t),o?sl.addScaledVector(au,h):sl.addScaledVector(au.sub(e),h))}e.add(sl)}return e}raycast(t,e){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),tl.copy(n.boundingSphere),tl.applyMatrix4(r),Ys.copy(t.ray).recast(t.near),!(tl.containsPoint(Ys.origin)===!1&&(Ys.intersectSphere(tl,Hf)===null||Ys.origin.distanceToSquared(Hf)>(t.far-t.near)**2))&&(zf.copy(r).invert(),Ys.copy(t.ray).applyMatrix4(zf),!(n.boundingBox!==null&&Ys.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(t,e,Ys)))}_computeIntersections(t,e,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,d=r.attributes.normal,u=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let g=0,x=u.length;g<x;g++){let m=u[g],p=o[m.materialIndex],T=Math.max(m.start,f.start),b=Math.min(a.count,Math.min(m.start+m.count,f.start+f.count));for(let S=T,P=b;S<P;S+=3){let R=a.getX(S),L=a.getX(S+1),N=a.getX(S+2);s=ol(this,p,t,n,c,h,d,R,L,N),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,f.start),x=Math.min(a.count,f.start+f.count);for(let m=g,p=x;m<p;m+=3){let T=a.getX(m),b=a.getX(m+1),S=a.getX(m+2);s=ol(this,o,t,n,c,h,d,T,b,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let g=0,x=u.length;g<x;g++){let m=u[g],p=o[m.materialIndex],T=Math.max(m.start,f.start),b=Math.min(l.count,Math.min(m.start+m.count,f.start+f.count));for(let S=T,P=b;S<P;S+=3){let R=S,L=S+1,N=S+2;s=ol(this,p,t,n,c,h,d,R,L,N),s&&(s.faceIndex=Math.floor(S/3),s.face.materialIndex=m.materialIndex,e.push(s))}}else{let g=Math.max(0,f.start),x=Math.min(l.count,f.start+f.count);for(let m=g,p=x;m<p;m+=3){let T=m,b=m+1,S=m+2;s=ol(this,o,t,n,c,h,d,T,b,S),s&&(s.faceIndex=Math.floor(m/3),e.push(s))}}}};function r_(i,t,e,n,s,r,o,a){let l;if(t.side===Fn?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,t.side===ns,a),l===null)return null;rl.copy(a),rl.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(rl);return c<e.near||c>e.far?null:{distance:c,point:rl.clone(),object:i}}function ol(i,t,e,n,s,r,o,a,l,c){i.getVertexPosition(a,el),i.getVertexPosition(l,nl),i.getVertexPosition(c,il);let h=r_(i,t,e,n,el,nl,il,Vf);if(h){let d=new U;Es.getBarycoord(Vf,el,nl,il,d),s&&(h.uv=Es.getInterpolatedAttribute(s,a,l,c,d,new It)),r&&(h.uv1=Es.getInterpolatedAttribute(r,a,l,c,d,new It)),o&&(h.normal=Es.getInterpolatedAttribute(o,a,l,c,d,new U),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let u={a,b:l,c,normal:new U,materialIndex:0};Es.getNormal(el,nl,il,u.normal),h.face=u,h.barycoord=d}return h}var hi=class i extends Ze{constructor(t=1,e=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:t,height:e,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],d=[],u=0,f=0;g("z","y","x",-1,-1,n,e,t,o,r,0),g("z","y","x",1,-1,n,e,-t,o,r,1),g("x","z","y",1,1,t,n,e,s,o,2),g("x","z","y",1,-1,t,n,-e,s,o,3),g("x","y","z",1,-1,t,e,n,s,r,4),g("x","y","z",-1,-1,t,e,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new Le(c,3)),this.setAttribute("normal",new Le(h,3)),this.setAttribute("uv",new Le(d,2));function g(x,m,p,T,b,S,P,R,L,N,E){let v=S/L,A=P/N,V=S/2,z=P/2,W=R/2,Z=L+1,Y=N+1,et=0,j=0,ut=new U;for(let ot=0;ot<Y;ot++){let mt=ot*A-z;for(let ft=0;ft<Z;ft++){let Wt=ft*v-V;ut[x]=Wt*T,ut[m]=mt*b,ut[p]=W,c.push(ut.x,ut.y,ut.z),ut[x]=0,ut[m]=0,ut[p]=R>0?1:-1,h.push(ut.x,ut.y,ut.z),d.push(ft/L),d.push(1-ot/N),et+=1}}for(let ot=0;ot<N;ot++)for(let mt=0;mt<L;mt++){let ft=u+mt+Z*ot,Wt=u+mt+Z*(ot+1),J=u+(mt+1)+Z*(ot+1),ct=u+(mt+1)+Z*ot;l.push(ft,Wt,ct),l.push(Wt,J,ct),j+=6}a.addGroup(f,j,E),f+=j,u+=et}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.depth,t.widthSegments,t.heightSegments,t.depthSegments)}};function lr(i){let t={};for(let e in i){t[e]={};for(let n in i[e]){let s=i[e][n];s&&(s.isColor||s.isMatrix3||s.isMatrix4||s.isVector2||s.isVector3||s.isVector4||s.isTexture||s.isQuaternion)?s.isRenderTargetTexture?(console.warn("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),t[e][n]=null):t[e][n]=s.clone():Array.isArray(s)?t[e][n]=s.slice():t[e][n]=s}}return t}function Rn(i){let t={};for(let e=0;e<i.length;e++){let n=lr(i[e]);for(let s in n)t[s]=n[s]}return t}function o_(i){let t=[];for(let e=0;e<i.length;e++)t.push(i[e].clone());return t}function Wu(i){let t=i.getRenderTarget();return t===null?i.outputColorSpace:t.isXRRenderTarget===!0?t.texture.colorSpace:ge.workingColorSpace}var Zp={clone:lr,merge:Rn},a_=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,l_=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Qn=class extends li{constructor(t){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=a_,this.fragmentShader=l_,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,t!==void 0&&this.setValues(t)}copy(t){return super.copy(t),this.fragmentShader=t.fragmentShader,this.vertexShader=t.vertexShader,this.uniforms=lr(t.uniforms),this.uniformsGroups=o_(t.uniformsGroups),this.defines=Object.assign({},t.defines),this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.fog=t.fog,this.lights=t.lights,this.clipping=t.clipping,this.extensions=Object.assign({},t.extensions),this.glslVersion=t.glslVersion,this}toJSON(t){let e=super.toJSON(t);e.glslVersion=this.glslVersion,e.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?e.uniforms[s]={type:"t",value:o.toJSON(t).uuid}:o&&o.isColor?e.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?e.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?e.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?e.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?e.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?e.uniforms[s]={type:"m4",value:o.toArray()}:e.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(e.defines=this.defines),e.vertexShader=this.vertexShader,e.fragmentShader=this.fragmentShader,e.lights=this.lights,e.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(e.extensions=n),e}},Jo=class extends vn{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new ve,this.projectionMatrix=new ve,this.projectionMatrixInverse=new ve,this.coordinateSystem=Ni}copy(t,e){return super.copy(t,e),this.matrixWorldInverse.copy(t.matrixWorldInverse),this.projectionMatrix.copy(t.projectionMatrix),this.projectionMatrixInverse.copy(t.projectionMatrixInverse),this.coordinateSystem=t.coordinateSystem,this}getWorldDirection(t){return super.getWorldDirection(t).negate()}updateMatrixWorld(t){super.updateMatrixWorld(t),this.matrixWorldInverse.copy(this.matrixWorld).invert()}updateWorldMatrix(t,e){super.updateWorldMatrix(t,e),this.matrixWorldInverse.copy(this.matrixWorld).invert()}clone(){return new this.constructor().copy(this)}},ws=new U,Gf=new It,Wf=new It,An=class extends Jo{constructor(t=50,e=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=t,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=e,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.fov=t.fov,this.zoom=t.zoom,this.near=t.near,this.far=t.far,this.focus=t.focus,this.aspect=t.aspect,this.view=t.view===null?null:Object.assign({},t.view),this.filmGauge=t.filmGauge,this.filmOffset=t.filmOffset,this}setFocalLength(t){let e=.5*this.getFilmHeight()/t;this.fov=Zr*2*Math.atan(e),this.updateProjectionMatrix()}getFocalLength(){let t=Math.tan(Bo*.5*this.fov);return .5*this.getFilmHeight()/t}getEffectiveFOV(){return Zr*2*Math.atan(Math.tan(Bo*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(t,e,n){ws.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),e.set(ws.x,ws.y).multiplyScalar(-t/ws.z),ws.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(ws.x,ws.y).multiplyScalar(-t/ws.z)}getViewSize(t,e){return this.getViewBounds(t,Gf,Wf),e.subVectors(Wf,Gf)}setViewOffset(t,e,n,s,r,o){this.aspect=t/e,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=this.near,e=t*Math.tan(Bo*.5*this.fov)/this.zoom,n=2*e,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,e-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=t*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,e,e-n,t,this.far,this.coordinateSystem),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.fov=this.fov,e.object.zoom=this.zoom,e.object.near=this.near,e.object.far=this.far,e.object.focus=this.focus,e.object.aspect=this.aspect,this.view!==null&&(e.object.view=Object.assign({},this.view)),e.object.filmGauge=this.filmGauge,e.object.filmOffset=this.filmOffset,e}},Wr=-90,Xr=1,wl=class extends vn{constructor(t,e,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new An(Wr,Xr,t,e);s.layers=this.layers,this.add(s);let r=new An(Wr,Xr,t,e);r.layers=this.layers,this.add(r);let o=new An(Wr,Xr,t,e);o.layers=this.layers,this.add(o);let a=new An(Wr,Xr,t,e);a.layers=this.layers,this.add(a);let l=new An(Wr,Xr,t,e);l.layers=this.layers,this.add(l);let c=new An(Wr,Xr,t,e);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let t=this.coordinateSystem,e=this.children.concat(),[n,s,r,o,a,l]=e;for(let c of e)this.remove(c);if(t===Ni)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(t===Wo)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+t);for(let c of e)this.add(c),c.updateMatrixWorld()}update(t,e){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==t.coordinateSystem&&(this.coordinateSystem=t.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,d=t.getRenderTarget(),u=t.getActiveCubeFace(),f=t.getActiveMipmapLevel(),g=t.xr.enabled;t.xr.enabled=!1;let x=n.texture.generateMipmaps;n.texture.generateMipmaps=!1,t.setRenderTarget(n,0,s),t.render(e,r),t.setRenderTarget(n,1,s),t.render(e,o),t.setRenderTarget(n,2,s),t.render(e,a),t.setRenderTarget(n,3,s),t.render(e,l),t.setRenderTarget(n,4,s),t.render(e,c),n.texture.generateMipmaps=x,t.setRenderTarget(n,5,s),t.render(e,h),t.setRenderTarget(d,u,f),t.xr.enabled=g,n.texture.needsPMREMUpdate=!0}},Ko=class extends Vn{constructor(t,e,n,s,r,o,a,l,c,h){t=t!==void 0?t:[],e=e!==void 0?e:sr,super(t,e,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(t){this.image=t}},El=class extends Oi{constructor(t=1,e={}){super(t,t,e),this.isWebGLCubeRenderTarget=!0;let n={width:t,height:t,depth:1},s=[n,n,n,n,n,n];this.texture=new Ko(s,e.mapping,e.wrapS,e.wrapT,e.magFilter,e.minFilter,e.format,e.type,e.anisotropy,e.colorSpace),this.texture.isRenderTargetTexture=!0,this.texture.generateMipmaps=e.generateMipmaps!==void 0?e.generateMipmaps:!1,this.texture.minFilter=e.minFilter!==void 0?e.minFilter:bi}fromEquirectangularTexture(t,e){this.texture.type=e.type,this.texture.colorSpace=e.colorSpace,this.texture.generateMipmaps=e.generateMipmaps,this.texture.minFilter=e.minFilter,this.texture.magFilter=e.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new hi(5,5,5),r=new Qn({name:"CubemapFromEquirect",uniforms:lr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:Fn,blending:rs});r.uniforms.tEquirect.value=e;let o=new De(s,r),a=e.minFilter;return e.minFilter===Ls&&(e.minFilter=bi),new wl(1,10,this).update(t,o),e.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(t,e,n,s){let r=t.getRenderTarget();for(let o=0;o<6;o++)t.setRenderTarget(this,o),t.clear(e,n,s);t.setRenderTarget(r)}};var jo=class i{constructor(t,e=1,n=1e3){this.isFog=!0,this.name="",this.color=new Xt(t),this.near=e,this.far=n}clone(){return new i(this.color,this.near,this.far)}toJSON(){return{type:"Fog",name:this.name,color:this.color.getHex(),near:this.near,far:this.far}}},Qo=class extends vn{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new ai,this.environmentIntensity=1,this.environmentRotation=new ai,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(t,e){return super.copy(t,e),t.background!==null&&(this.background=t.background.clone()),t.environment!==null&&(this.environment=t.environment.clone()),t.fog!==null&&(this.fog=t.fog.clone()),this.backgroundBlurriness=t.backgroundBlurriness,this.backgroundIntensity=t.backgroundIntensity,this.backgroundRotation.copy(t.backgroundRotation),this.environmentIntensity=t.environmentIntensity,this.environmentRotation.copy(t.environmentRotation),t.overrideMaterial!==null&&(this.overrideMaterial=t.overrideMaterial.clone()),this.matrixAutoUpdate=t.matrixAutoUpdate,this}toJSON(t){let e=super.toJSON(t);return this.fog!==null&&(e.object.fog=this.fog.toJSON()),this.backgroundBlurriness>0&&(e.object.backgroundBlurriness=this.backgroundBlurriness),this.backgroundIntensity!==1&&(e.object.backgroundIntensity=this.backgroundIntensity),e.object.backgroundRotation=this.backgroundRotation.toArray(),this.environmentIntensity!==1&&(e.object.environmentIntensity=this.environmentIntensity),e.object.environmentRotation=this.environmentRotation.toArray(),e}};var Tl=class extends Vn{constructor(t=null,e=1,n=1,s,r,o,a,l,c=Hn,h=Hn,d,u){super(null,o,a,l,c,h,s,r,d,u),this.isDataTexture=!0,this.image={data:t,width:e,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var ta=class extends en{constructor(t,e,n,s=1){super(t,e,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(t){return super.copy(t),this.meshPerAttribute=t.meshPerAttribute,this}toJSON(){let t=super.toJSON();return t.meshPerAttribute=this.meshPerAttribute,t.isInstancedBufferAttribute=!0,t}},qr=new ve,Xf=new ve,al=[],qf=new yn,c_=new ve,No=new De,Fo=new Bi,Kr=class extends De{constructor(t,e,n){super(t,e),this.isInstancedMesh=!0,this.instanceMatrix=new ta(new Float32Array(n*16),16),this.instanceColor=null,this.morphTexture=null,this.count=n,this.boundingBox=null,this.boundingSphere=null;for(let s=0;s<n;s++)this.setMatrixAt(s,c_)}computeBoundingBox(){let t=this.geometry,e=this.count;this.boundingBox===null&&(this.boundingBox=new yn),t.boundingBox===null&&t.computeBoundingBox(),this.boundingBox.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,qr),qf.copy(t.boundingBox).applyMatrix4(qr),this.boundingBox.union(qf)}computeBoundingSphere(){let t=this.geometry,e=this.count;this.boundingSphere===null&&(this.boundingSphere=new Bi),t.boundingSphere===null&&t.computeBoundingSphere(),this.boundingSphere.makeEmpty();for(let n=0;n<e;n++)this.getMatrixAt(n,qr),Fo.copy(t.boundingSphere).applyMatrix4(qr),this.boundingSphere.union(Fo)}copy(t,e){return super.copy(t,e),this.instanceMatrix.copy(t.instanceMatrix),t.morphTexture!==null&&(this.morphTexture=t.morphTexture.clone()),t.instanceColor!==null&&(this.instanceColor=t.instanceColor.clone()),this.count=t.count,t.boundingBox!==null&&(this.boundingBox=t.boundingBox.clone()),t.boundingSphere!==null&&(this.boundingSphere=t.boundingSphere.clone()),this}getColorAt(t,e){e.fromArray(this.instanceColor.array,t*3)}getMatrixAt(t,e){e.fromArray(this.instanceMatrix.array,t*16)}getMorphAt(t,e){let n=e.morphTargetInfluences,s=this.morphTexture.source.data.data,r=n.length+1,o=t*r+1;for(let a=0;a<n.length;a++)n[a]=s[o+a]}raycast(t,e){let n=this.matrixWorld,s=this.count;if(No.geometry=this.geometry,No.material=this.material,No.material!==void 0&&(this.boundingSphere===null&&this.computeBoundingSphere(),Fo.copy(this.boundingSphere),Fo.applyMatrix4(n),t.ray.intersectsSphere(Fo)!==!1))for(let r=0;r<s;r++){this.getMatrixAt(r,qr),Xf.multiplyMatrices(n,qr),No.matrixWorld=Xf,No.raycast(t,al);for(let o=0,a=al.length;o<a;o++){let l=al[o];l.instanceId=r,l.object=this,e.push(l)}al.length=0}}setColorAt(t,e){this.instanceColor===null&&(this.instanceColor=new ta(new Float32Array(this.instanceMatrix.count*3).fill(1),3)),e.toArray(this.instanceColor.array,t*3)}setMatrixAt(t,e){e.toArray(this.instanceMatrix.array,t*16)}setMorphAt(t,e){let n=e.morphTargetInfluences,s=n.length+1;this.morphTexture===null&&(this.morphTexture=new Tl(new Float32Array(s*this.count),s,this.count,fc,Ei));let r=this.morphTexture.source.data.data,o=0;for(let c=0;c<n.length;c++)o+=n[c];let a=this.geometry.morphTargetsRelative?1:1-o,l=s*t;r[l]=a,r.set(n,l+1)}updateMorphTargets(){}dispose(){return this.dispatchEvent({type:"dispose"}),this.morphTexture!==null&&(this.morphTexture.dispose(),this.morphTexture=null),this}},lu=new U,h_=new U,u_=new ee,zn=class{constructor(t=new U(1,0,0),e=0){this.isPlane=!0,this.normal=t,this.constant=e}set(t,e){return this.normal.copy(t),this.constant=e,this}setComponents(t,e,n,s){return this.normal.set(t,e,n),this.constant=s,this}setFromNormalAndCoplanarPoint(t,e){return this.normal.copy(t),this.constant=-e.dot(this.normal),this}setFromCoplanarPoints(t,e,n){let s=lu.subVectors(n,e).cross(h_.subVectors(t,e)).normalize();return this.setFromNormalAndCoplanarPoint(s,t),this}copy(t){return this.normal.copy(t.normal),this.constant=t.constant,this}normalize(){let t=1/this.normal.length();return this.normal.multiplyScalar(t),this.constant*=t,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(t){return this.normal.dot(t)+this.constant}distanceToSphere(t){return this.distanceToPoint(t.center)-t.radius}projectPoint(t,e){return e.copy(t).addScaledVector(this.normal,-this.distanceToPoint(t))}intersectLine(t,e){let n=t.delta(lu),s=this.normal.dot(n);if(s===0)return this.distanceToPoint(t.start)===0?e.copy(t.start):null;let r=-(t.start.dot(this.normal)+this.constant)/s;return r<0||r>1?null:e.copy(t.start).addScaledVector(n,r)}intersectsLine(t){let e=this.distanceToPoint(t.start),n=this.distanceToPoint(t.end);return e<0&&n>0||n<0&&e>0}intersectsBox(t){return t.intersectsPlane(this)}intersectsSphere(t){return t.intersectsPlane(this)}coplanarPoint(t){return t.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(t,e){let n=e||u_.getNormalMatrix(t),s=this.coplanarPoint(lu).applyMatrix4(t),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(t){return this.constant-=t.dot(this.normal),this}equals(t){return t.normal.equals(this.normal)&&t.constant===this.constant}clone(){return new this.constructor().copy(this)}},$s=new Bi,ll=new U,jr=class{constructor(t=new zn,e=new zn,n=new zn,s=new zn,r=new zn,o=new zn){this.planes=[t,e,n,s,r,o]}set(t,e,n,s,r,o){let a=this.planes;return a[0].copy(t),a[1].copy(e),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(t){let e=this.planes;for(let n=0;n<6;n++)e[n].copy(t.planes[n]);return this}setFromProjectionMatrix(t,e=Ni){let n=this.planes,s=t.elements,r=s[0],o=s[1],a=s[2],l=s[3],c=s[4],h=s[5],d=s[6],u=s[7],f=s[8],g=s[9],x=s[10],m=s[11],p=s[12],T=s[13],b=s[14],S=s[15];if(n[0].setComponents(l-r,u-c,m-f,S-p).normalize(),n[1].setComponents(l+r,u+c,m+f,S+p).normalize(),n[2].setComponents(l+o,u+h,m+g,S+T).normalize(),n[3].setComponents(l-o,u-h,m-g,S-T).normalize(),n[4].setComponents(l-a,u-d,m-x,S-b).normalize(),e===Ni)n[5].setComponents(l+a,u+d,m+x,S+b).normalize();else if(e===Wo)n[5].setComponents(a,d,x,b).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+e);return this}intersectsObject(t){if(t.boundingSphere!==void 0)t.boundingSphere===null&&t.computeBoundingSphere(),$s.copy(t.boundingSphere).applyMatrix4(t.matrixWorld);else{let e=t.geometry;e.boundingSphere===null&&e.computeBoundingSphere(),$s.copy(e.boundingSphere).applyMatrix4(t.matrixWorld)}return this.intersectsSphere($s)}intersectsSprite(t){return $s.center.set(0,0,0),$s.radius=.7071067811865476,$s.applyMatrix4(t.matrixWorld),this.intersectsSphere($s)}intersectsSphere(t){let e=this.planes,n=t.center,s=-t.radius;for(let r=0;r<6;r++)if(e[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(t){let e=this.planes;for(let n=0;n<6;n++){let s=e[n];if(ll.x=s.normal.x>0?t.max.x:t.min.x,ll.y=s.normal.y>0?t.max.y:t.min.y,ll.z=s.normal.z>0?t.max.z:t.min.z,s.distanceToPoint(ll)<0)return!1}return!0}containsPoint(t){let e=this.planes;for(let n=0;n<6;n++)if(e[n].distanceToPoint(t)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}};var ea=class extends li{constructor(t){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Xt(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.linewidth=t.linewidth,this.linecap=t.linecap,this.linejoin=t.linejoin,this.fog=t.fog,this}},Al=new U,Rl=new U,Yf=new ve,Oo=new is,cl=new Bi,cu=new U,$f=new U,Cl=class extends vn{constructor(t=new Ze,e=new ea){super(),this.isLine=!0,this.type="Line",this.geometry=t,this.material=e,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[0];for(let s=1,r=e.count;s<r;s++)Al.fromBufferAttribute(e,s-1),Rl.fromBufferAttribute(e,s),n[s]=n[s-1],n[s]+=Al.distanceTo(Rl);t.setAttribute("lineDistance",new Le(n,1))}else console.warn("THREE.Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),cl.copy(n.boundingSphere),cl.applyMatrix4(s),cl.radius+=r,t.ray.intersectsSphere(cl)===!1)return;Yf.copy(s).invert(),Oo.copy(t.ray).applyMatrix4(Yf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,u=n.attributes.position;if(h!==null){let f=Math.max(0,o.start),g=Math.min(h.count,o.start+o.count);for(let x=f,m=g-1;x<m;x+=c){let p=h.getX(x),T=h.getX(x+1),b=hl(this,t,Oo,l,p,T);b&&e.push(b)}if(this.isLineLoop){let x=h.getX(g-1),m=h.getX(f),p=hl(this,t,Oo,l,x,m);p&&e.push(p)}}else{let f=Math.max(0,o.start),g=Math.min(u.count,o.start+o.count);for(let x=f,m=g-1;x<m;x+=c){let p=hl(this,t,Oo,l,x,x+1);p&&e.push(p)}if(this.isLineLoop){let x=hl(this,t,Oo,l,g-1,f);x&&e.push(x)}}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function hl(i,t,e,n,s,r){let o=i.geometry.attributes.position;if(Al.fromBufferAttribute(o,s),Rl.fromBufferAttribute(o,r),e.distanceSqToSegment(Al,Rl,cu,$f)>n)return;cu.applyMatrix4(i.matrixWorld);let l=t.ray.origin.distanceTo(cu);if(!(l<t.near||l>t.far))return{distance:l,point:$f.clone().applyMatrix4(i.matrixWorld),index:s,face:null,faceIndex:null,barycoord:null,object:i}}var Zf=new U,Jf=new U,Pl=class extends Cl{constructor(t,e){super(t,e),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let t=this.geometry;if(t.index===null){let e=t.attributes.position,n=[];for(let s=0,r=e.count;s<r;s+=2)Zf.fromBufferAttribute(e,s),Jf.fromBufferAttribute(e,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+Zf.distanceTo(Jf);t.setAttribute("lineDistance",new Le(n,1))}else console.warn("THREE.LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Qr=class extends li{constructor(t){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Xt(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.alphaMap=t.alphaMap,this.size=t.size,this.sizeAttenuation=t.sizeAttenuation,this.fog=t.fog,this}},Kf=new ve,yu=new is,ul=new Bi,dl=new U,na=class extends vn{constructor(t=new Ze,e=new Qr){super(),this.isPoints=!0,this.type="Points",this.geometry=t,this.material=e,this.updateMorphTargets()}copy(t,e){return super.copy(t,e),this.material=Array.isArray(t.material)?t.material.slice():t.material,this.geometry=t.geometry,this}raycast(t,e){let n=this.geometry,s=this.matrixWorld,r=t.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),ul.copy(n.boundingSphere),ul.applyMatrix4(s),ul.radius+=r,t.ray.intersectsSphere(ul)===!1)return;Kf.copy(s).invert(),yu.copy(t.ray).applyMatrix4(Kf);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,d=n.attributes.position;if(c!==null){let u=Math.max(0,o.start),f=Math.min(c.count,o.start+o.count);for(let g=u,x=f;g<x;g++){let m=c.getX(g);dl.fromBufferAttribute(d,m),jf(dl,m,l,s,t,e,this)}}else{let u=Math.max(0,o.start),f=Math.min(d.count,o.start+o.count);for(let g=u,x=f;g<x;g++)dl.fromBufferAttribute(d,g),jf(dl,g,l,s,t,e,this)}}updateMorphTargets(){let e=this.geometry.morphAttributes,n=Object.keys(e);if(n.length>0){let s=e[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function jf(i,t,e,n,s,r,o){let a=yu.distanceSqToPoint(i);if(a<e){let l=new U;yu.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:t,face:null,faceIndex:null,barycoord:null,object:o})}}var ki=class extends vn{constructor(){super(),this.isGroup=!0,this.type="Group"}};var ia=class extends Vn{constructor(t,e,n,s,r,o,a,l,c,h=Js){if(h!==Js&&h!==Qs)throw new Error("DepthTexture format must be either THREE.DepthFormat or THREE.DepthStencilFormat");n===void 0&&h===Js&&(n=Ds),n===void 0&&h===Qs&&(n=or),super(null,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.image={width:t,height:e},this.magFilter=a!==void 0?a:Hn,this.minFilter=l!==void 0?l:Hn,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(t){return super.copy(t),this.compareFunction=t.compareFunction,this}toJSON(t){let e=super.toJSON(t);return this.compareFunction!==null&&(e.compareFunction=this.compareFunction),e}},Wn=class{constructor(){this.type="Curve",this.arcLengthDivisions=200}getPoint(){return console.warn("THREE.Curve: .getPoint() not implemented."),null}getPointAt(t,e){let n=this.getUtoTmapping(t);return this.getPoint(n,e)}getPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPoint(n/t));return e}getSpacedPoints(t=5){let e=[];for(let n=0;n<=t;n++)e.push(this.getPointAt(n/t));return e}getLength(){let t=this.getLengths();return t[t.length-1]}getLengths(t=this.arcLengthDivisions){if(this.cacheArcLengths&&this.cacheArcLengths.length===t+1&&!this.needsUpdate)return this.cacheArcLengths;this.needsUpdate=!1;let e=[],n,s=this.getPoint(0),r=0;e.push(0);for(let o=1;o<=t;o++)n=this.getPoint(o/t),r+=n.distanceTo(s),e.push(r),s=n;return this.cacheArcLengths=e,e}updateArcLengths(){this.needsUpdate=!0,this.getLengths()}getUtoTmapping(t,e){let n=this.getLengths(),s=0,r=n.length,o;e?o=e:o=t*n[r-1];let a=0,l=r-1,c;for(;a<=l;)if(s=Math.floor(a+(l-a)/2),c=n[s]-o,c<0)a=s+1;else if(c>0)l=s-1;else{l=s;break}if(s=l,n[s]===o)return s/(r-1);let h=n[s],u=n[s+1]-h,f=(o-h)/u;return(s+f)/(r-1)}getTangent(t,e){let s=t-1e-4,r=t+1e-4;s<0&&(s=0),r>1&&(r=1);let o=this.getPoint(s),a=this.getPoint(r),l=e||(o.isVector2?new It:new U);return l.copy(a).sub(o).normalize(),l}getTangentAt(t,e){let n=this.getUtoTmapping(t);return this.getTangent(n,e)}computeFrenetFrames(t,e){let n=new U,s=[],r=[],o=[],a=new U,l=new ve;for(let f=0;f<=t;f++){let g=f/t;s[f]=this.getTangentAt(g,new U)}r[0]=new U,o[0]=new U;let c=Number.MAX_VALUE,h=Math.abs(s[0].x),d=Math.abs(s[0].y),u=Math.abs(s[0].z);h<=c&&(c=h,n.set(1,0,0)),d<=c&&(c=d,n.set(0,1,0)),u<=c&&n.set(0,0,1),a.crossVectors(s[0],n).normalize(),r[0].crossVectors(s[0],a),o[0].crossVectors(s[0],r[0]);for(let f=1;f<=t;f++){if(r[f]=r[f-1].clone(),o[f]=o[f-1].clone(),a.crossVectors(s[f-1],s[f]),a.length()>Number.EPSILON){a.normalize();let g=Math.acos(se(s[f-1].dot(s[f]),-1,1));r[f].applyMatrix4(l.makeRotationAxis(a,g))}o[f].crossVectors(s[f],r[f])}if(e===!0){let f=Math.acos(se(r[0].dot(r[t]),-1,1));f/=t,s[0].dot(a.crossVectors(r[0],r[t]))>0&&(f=-f);for(let g=1;g<=t;g++)r[g].applyMatrix4(l.makeRotationAxis(s[g],f*g)),o[g].crossVectors(s[g],r[g])}return{tangents:s,normals:r,binormals:o}}clone(){return new this.constructor().copy(this)}copy(t){return this.arcLengthDivisions=t.arcLengthDivisions,this}toJSON(){let t={metadata:{version:4.6,type:"Curve",generator:"Curve.toJSON"}};return t.arcLengthDivisions=this.arcLengthDivisions,t.type=this.type,t}fromJSON(t){return this.arcLengthDivisions=t.arcLengthDivisions,this}},sa=class extends Wn{constructor(t=0,e=0,n=1,s=1,r=0,o=Math.PI*2,a=!1,l=0){super(),this.isEllipseCurve=!0,this.type="EllipseCurve",this.aX=t,this.aY=e,this.xRadius=n,this.yRadius=s,this.aStartAngle=r,this.aEndAngle=o,this.aClockwise=a,this.aRotation=l}getPoint(t,e=new It){let n=e,s=Math.PI*2,r=this.aEndAngle-this.aStartAngle,o=Math.abs(r)<Number.EPSILON;for(;r<0;)r+=s;for(;r>s;)r-=s;r<Number.EPSILON&&(o?r=0:r=s),this.aClockwise===!0&&!o&&(r===s?r=-s:r=r-s);let a=this.aStartAngle+t*r,l=this.aX+this.xRadius*Math.cos(a),c=this.aY+this.yRadius*Math.sin(a);if(this.aRotation!==0){let h=Math.cos(this.aRotation),d=Math.sin(this.aRotation),u=l-this.aX,f=c-this.aY;l=u*h-f*d+this.aX,c=u*d+f*h+this.aY}return n.set(l,c)}copy(t){return super.copy(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}toJSON(){let t=super.toJSON();return t.aX=this.aX,t.aY=this.aY,t.xRadius=this.xRadius,t.yRadius=this.yRadius,t.aStartAngle=this.aStartAngle,t.aEndAngle=this.aEndAngle,t.aClockwise=this.aClockwise,t.aRotation=this.aRotation,t}fromJSON(t){return super.fromJSON(t),this.aX=t.aX,this.aY=t.aY,this.xRadius=t.xRadius,this.yRadius=t.yRadius,this.aStartAngle=t.aStartAngle,this.aEndAngle=t.aEndAngle,this.aClockwise=t.aClockwise,this.aRotation=t.aRotation,this}},Il=class extends sa{constructor(t,e,n,s,r,o){super(t,e,n,n,s,r,o),this.isArcCurve=!0,this.type="ArcCurve"}};function Xu(){let i=0,t=0,e=0,n=0;function s(r,o,a,l){i=r,t=a,e=-3*r+3*o-2*a-l,n=2*r-2*o+a+l}return{initCatmullRom:function(r,o,a,l,c){s(o,a,c*(a-r),c*(l-o))},initNonuniformCatmullRom:function(r,o,a,l,c,h,d){let u=(o-r)/c-(a-r)/(c+h)+(a-o)/h,f=(a-o)/h-(l-o)/(h+d)+(l-a)/d;u*=h,f*=h,s(o,a,u,f)},calc:function(r){let o=r*r,a=o*r;return i+t*r+e*o+n*a}}}var fl=new U,hu=new Xu,uu=new Xu,du=new Xu,Ll=class extends Wn{constructor(t=[],e=!1,n="centripetal",s=.5){super(),this.isCatmullRomCurve3=!0,this.type="CatmullRomCurve3",this.points=t,this.closed=e,this.curveType=n,this.tension=s}getPoint(t,e=new U){let n=e,s=this.points,r=s.length,o=(r-(this.closed?0:1))*t,a=Math.floor(o),l=o-a;this.closed?a+=a>0?0:(Math.floor(Math.abs(a)/r)+1)*r:l===0&&a===r-1&&(a=r-2,l=1);let c,h;this.closed||a>0?c=s[(a-1)%r]:(fl.subVectors(s[0],s[1]).add(s[0]),c=fl);let d=s[a%r],u=s[(a+1)%r];if(this.closed||a+2<r?h=s[(a+2)%r]:(fl.subVectors(s[r-1],s[r-2]).add(s[r-1]),h=fl),this.curveType==="centripetal"||this.curveType==="chordal"){let f=this.curveType==="chordal"?.5:.25,g=Math.pow(c.distanceToSquared(d),f),x=Math.pow(d.distanceToSquared(u),f),m=Math.pow(u.distanceToSquared(h),f);x<1e-4&&(x=1),g<1e-4&&(g=x),m<1e-4&&(m=x),hu.initNonuniformCatmullRom(c.x,d.x,u.x,h.x,g,x,m),uu.initNonuniformCatmullRom(c.y,d.y,u.y,h.y,g,x,m),du.initNonuniformCatmullRom(c.z,d.z,u.z,h.z,g,x,m)}else this.curveType==="catmullrom"&&(hu.initCatmullRom(c.x,d.x,u.x,h.x,this.tension),uu.initCatmullRom(c.y,d.y,u.y,h.y,this.tension),du.initCatmullRom(c.z,d.z,u.z,h.z,this.tension));return n.set(hu.calc(l),uu.calc(l),du.calc(l)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t.closed=this.closed,t.curveType=this.curveType,t.tension=this.tension,t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new U().fromArray(s))}return this.closed=t.closed,this.curveType=t.curveType,this.tension=t.tension,this}};function Qf(i,t,e,n,s){let r=(n-t)*.5,o=(s-e)*.5,a=i*i,l=i*a;return(2*e-2*n+r+o)*l+(-3*e+3*n-2*r-o)*a+r*i+e}function d_(i,t){let e=1-i;return e*e*t}function f_(i,t){return 2*(1-i)*i*t}function p_(i,t){return i*i*t}function zo(i,t,e,n){return d_(i,t)+f_(i,e)+p_(i,n)}function m_(i,t){let e=1-i;return e*e*e*t}function g_(i,t){let e=1-i;return 3*e*e*i*t}function __(i,t){return 3*(1-i)*i*i*t}function x_(i,t){return i*i*i*t}function Ho(i,t,e,n,s){return m_(i,t)+g_(i,e)+__(i,n)+x_(i,s)}var Dl=class extends Wn{constructor(t=new It,e=new It,n=new It,s=new It){super(),this.isCubicBezierCurve=!0,this.type="CubicBezierCurve",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new It){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(Ho(t,s.x,r.x,o.x,a.x),Ho(t,s.y,r.y,o.y,a.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Ul=class extends Wn{constructor(t=new U,e=new U,n=new U,s=new U){super(),this.isCubicBezierCurve3=!0,this.type="CubicBezierCurve3",this.v0=t,this.v1=e,this.v2=n,this.v3=s}getPoint(t,e=new U){let n=e,s=this.v0,r=this.v1,o=this.v2,a=this.v3;return n.set(Ho(t,s.x,r.x,o.x,a.x),Ho(t,s.y,r.y,o.y,a.y),Ho(t,s.z,r.z,o.z,a.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this.v3.copy(t.v3),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t.v3=this.v3.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this.v3.fromArray(t.v3),this}},Nl=class extends Wn{constructor(t=new It,e=new It){super(),this.isLineCurve=!0,this.type="LineCurve",this.v1=t,this.v2=e}getPoint(t,e=new It){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new It){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Fl=class extends Wn{constructor(t=new U,e=new U){super(),this.isLineCurve3=!0,this.type="LineCurve3",this.v1=t,this.v2=e}getPoint(t,e=new U){let n=e;return t===1?n.copy(this.v2):(n.copy(this.v2).sub(this.v1),n.multiplyScalar(t).add(this.v1)),n}getPointAt(t,e){return this.getPoint(t,e)}getTangent(t,e=new U){return e.subVectors(this.v2,this.v1).normalize()}getTangentAt(t,e){return this.getTangent(t,e)}copy(t){return super.copy(t),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Ol=class extends Wn{constructor(t=new It,e=new It,n=new It){super(),this.isQuadraticBezierCurve=!0,this.type="QuadraticBezierCurve",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new It){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(zo(t,s.x,r.x,o.x),zo(t,s.y,r.y,o.y)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},ra=class extends Wn{constructor(t=new U,e=new U,n=new U){super(),this.isQuadraticBezierCurve3=!0,this.type="QuadraticBezierCurve3",this.v0=t,this.v1=e,this.v2=n}getPoint(t,e=new U){let n=e,s=this.v0,r=this.v1,o=this.v2;return n.set(zo(t,s.x,r.x,o.x),zo(t,s.y,r.y,o.y),zo(t,s.z,r.z,o.z)),n}copy(t){return super.copy(t),this.v0.copy(t.v0),this.v1.copy(t.v1),this.v2.copy(t.v2),this}toJSON(){let t=super.toJSON();return t.v0=this.v0.toArray(),t.v1=this.v1.toArray(),t.v2=this.v2.toArray(),t}fromJSON(t){return super.fromJSON(t),this.v0.fromArray(t.v0),this.v1.fromArray(t.v1),this.v2.fromArray(t.v2),this}},Bl=class extends Wn{constructor(t=[]){super(),this.isSplineCurve=!0,this.type="SplineCurve",this.points=t}getPoint(t,e=new It){let n=e,s=this.points,r=(s.length-1)*t,o=Math.floor(r),a=r-o,l=s[o===0?o:o-1],c=s[o],h=s[o>s.length-2?s.length-1:o+1],d=s[o>s.length-3?s.length-1:o+2];return n.set(Qf(a,l.x,c.x,h.x,d.x),Qf(a,l.y,c.y,h.y,d.y)),n}copy(t){super.copy(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(s.clone())}return this}toJSON(){let t=super.toJSON();t.points=[];for(let e=0,n=this.points.length;e<n;e++){let s=this.points[e];t.points.push(s.toArray())}return t}fromJSON(t){super.fromJSON(t),this.points=[];for(let e=0,n=t.points.length;e<n;e++){let s=t.points[e];this.points.push(new It().fromArray(s))}return this}},y_=Object.freeze({__proto__:null,ArcCurve:Il,CatmullRomCurve3:Ll,CubicBezierCurve:Dl,CubicBezierCurve3:Ul,EllipseCurve:sa,LineCurve:Nl,LineCurve3:Fl,QuadraticBezierCurve:Ol,QuadraticBezierCurve3:ra,SplineCurve:Bl});var ti=class i extends Ze{constructor(t=1,e=1,n=1,s=32,r=1,o=!1,a=0,l=Math.PI*2){super(),this.type="CylinderGeometry",this.parameters={radiusTop:t,radiusBottom:e,height:n,radialSegments:s,heightSegments:r,openEnded:o,thetaStart:a,thetaLength:l};let c=this;s=Math.floor(s),r=Math.floor(r);let h=[],d=[],u=[],f=[],g=0,x=[],m=n/2,p=0;T(),o===!1&&(t>0&&b(!0),e>0&&b(!1)),this.setIndex(h),this.setAttribute("position",new Le(d,3)),this.setAttribute("normal",new Le(u,3)),this.setAttribute("uv",new Le(f,2));function T(){let S=new U,P=new U,R=0,L=(e-t)/n;for(let N=0;N<=r;N++){let E=[],v=N/r,A=v*(e-t)+t;for(let V=0;V<=s;V++){let z=V/s,W=z*l+a,Z=Math.sin(W),Y=Math.cos(W);P.x=A*Z,P.y=-v*n+m,P.z=A*Y,d.push(P.x,P.y,P.z),S.set(Z,L,Y).normalize(),u.push(S.x,S.y,S.z),f.push(z,1-v),E.push(g++)}x.push(E)}for(let N=0;N<s;N++)for(let E=0;E<r;E++){let v=x[E][N],A=x[E+1][N],V=x[E+1][N+1],z=x[E][N+1];(t>0||E!==0)&&(h.push(v,A,z),R+=3),(e>0||E!==r-1)&&(h.push(A,V,z),R+=3)}c.addGroup(p,R,0),p+=R}function b(S){let P=g,R=new It,L=new U,N=0,E=S===!0?t:e,v=S===!0?1:-1;for(let V=1;V<=s;V++)d.push(0,m*v,0),u.push(0,v,0),f.push(.5,.5),g++;let A=g;for(let V=0;V<=s;V++){let W=V/s*l+a,Z=Math.cos(W),Y=Math.sin(W);L.x=E*Y,L.y=m*v,L.z=E*Z,d.push(L.x,L.y,L.z),u.push(0,v,0),R.x=Z*.5+.5,R.y=Y*.5*v+.5,f.push(R.x,R.y),g++}for(let V=0;V<s;V++){let z=P+V,W=A+V;S===!0?h.push(W,W+1,z):h.push(W+1,W,z),N+=3}c.addGroup(p,N,S===!0?1:2),p+=N}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radiusTop,t.radiusBottom,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}},oa=class i extends ti{constructor(t=1,e=1,n=32,s=1,r=!1,o=0,a=Math.PI*2){super(0,t,e,n,s,r,o,a),this.type="ConeGeometry",this.parameters={radius:t,height:e,radialSegments:n,heightSegments:s,openEnded:r,thetaStart:o,thetaLength:a}}static fromJSON(t){return new i(t.radius,t.height,t.radialSegments,t.heightSegments,t.openEnded,t.thetaStart,t.thetaLength)}};var ss=class i extends Ze{constructor(t=1,e=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:t,height:e,widthSegments:n,heightSegments:s};let r=t/2,o=e/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,d=t/a,u=e/l,f=[],g=[],x=[],m=[];for(let p=0;p<h;p++){let T=p*u-o;for(let b=0;b<c;b++){let S=b*d-r;g.push(S,-T,0),x.push(0,0,1),m.push(b/a),m.push(1-p/l)}}for(let p=0;p<l;p++)for(let T=0;T<a;T++){let b=T+c*p,S=T+c*(p+1),P=T+1+c*(p+1),R=T+1+c*p;f.push(b,S,R),f.push(S,P,R)}this.setIndex(f),this.setAttribute("position",new Le(g,3)),this.setAttribute("normal",new Le(x,3)),this.setAttribute("uv",new Le(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.width,t.height,t.widthSegments,t.heightSegments)}},aa=class i extends Ze{constructor(t=.5,e=1,n=32,s=1,r=0,o=Math.PI*2){super(),this.type="RingGeometry",this.parameters={innerRadius:t,outerRadius:e,thetaSegments:n,phiSegments:s,thetaStart:r,thetaLength:o},n=Math.max(3,n),s=Math.max(1,s);let a=[],l=[],c=[],h=[],d=t,u=(e-t)/s,f=new U,g=new It;for(let x=0;x<=s;x++){for(let m=0;m<=n;m++){let p=r+m/n*o;f.x=d*Math.cos(p),f.y=d*Math.sin(p),l.push(f.x,f.y,f.z),c.push(0,0,1),g.x=(f.x/e+1)/2,g.y=(f.y/e+1)/2,h.push(g.x,g.y)}d+=u}for(let x=0;x<s;x++){let m=x*(n+1);for(let p=0;p<n;p++){let T=p+m,b=T,S=T+n+1,P=T+n+2,R=T+1;a.push(b,S,R),a.push(S,P,R)}}this.setIndex(a),this.setAttribute("position",new Le(l,3)),this.setAttribute("normal",new Le(c,3)),this.setAttribute("uv",new Le(h,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.innerRadius,t.outerRadius,t.thetaSegments,t.phiSegments,t.thetaStart,t.thetaLength)}};var er=class i extends Ze{constructor(t=1,e=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:t,widthSegments:e,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},e=Math.max(3,Math.floor(e)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],d=new U,u=new U,f=[],g=[],x=[],m=[];for(let p=0;p<=n;p++){let T=[],b=p/n,S=0;p===0&&o===0?S=.5/e:p===n&&l===Math.PI&&(S=-.5/e);for(let P=0;P<=e;P++){let R=P/e;d.x=-t*Math.cos(s+R*r)*Math.sin(o+b*a),d.y=t*Math.cos(o+b*a),d.z=t*Math.sin(s+R*r)*Math.sin(o+b*a),g.push(d.x,d.y,d.z),u.copy(d).normalize(),x.push(u.x,u.y,u.z),m.push(R+S,1-b),T.push(c++)}h.push(T)}for(let p=0;p<n;p++)for(let T=0;T<e;T++){let b=h[p][T+1],S=h[p][T],P=h[p+1][T],R=h[p+1][T+1];(p!==0||o>0)&&f.push(b,S,R),(p!==n-1||l<Math.PI)&&f.push(S,P,R)}this.setIndex(f),this.setAttribute("position",new Le(g,3)),this.setAttribute("normal",new Le(x,3)),this.setAttribute("uv",new Le(m,2))}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}static fromJSON(t){return new i(t.radius,t.widthSegments,t.heightSegments,t.phiStart,t.phiLength,t.thetaStart,t.thetaLength)}};var la=class i extends Ze{constructor(t=new ra(new U(-1,-1,0),new U(-1,1,0),new U(1,1,0)),e=64,n=1,s=8,r=!1){super(),this.type="TubeGeometry",this.parameters={path:t,tubularSegments:e,radius:n,radialSegments:s,closed:r};let o=t.computeFrenetFrames(e,r);this.tangents=o.tangents,this.normals=o.normals,this.binormals=o.binormals;let a=new U,l=new U,c=new It,h=new U,d=[],u=[],f=[],g=[];x(),this.setIndex(g),this.setAttribute("position",new Le(d,3)),this.setAttribute("normal",new Le(u,3)),this.setAttribute("uv",new Le(f,2));function x(){for(let b=0;b<e;b++)m(b);m(r===!1?e:0),T(),p()}function m(b){h=t.getPointAt(b/e,h);let S=o.normals[b],P=o.binormals[b];for(let R=0;R<=s;R++){let L=R/s*Math.PI*2,N=Math.sin(L),E=-Math.cos(L);l.x=E*S.x+N*P.x,l.y=E*S.y+N*P.y,l.z=E*S.z+N*P.z,l.normalize(),u.push(l.x,l.y,l.z),a.x=h.x+n*l.x,a.y=h.y+n*l.y,a.z=h.z+n*l.z,d.push(a.x,a.y,a.z)}}function p(){for(let b=1;b<=e;b++)for(let S=1;S<=s;S++){let P=(s+1)*(b-1)+(S-1),R=(s+1)*b+(S-1),L=(s+1)*b+S,N=(s+1)*(b-1)+S;g.push(P,R,N),g.push(R,L,N)}}function T(){for(let b=0;b<=e;b++)for(let S=0;S<=s;S++)c.x=b/e,c.y=S/s,f.push(c.x,c.y)}}copy(t){return super.copy(t),this.parameters=Object.assign({},t.parameters),this}toJSON(){let t=super.toJSON();return t.path=this.parameters.path.toJSON(),t}static fromJSON(t){return new i(new y_[t.path.type]().fromJSON(t.path),t.tubularSegments,t.radius,t.radialSegments,t.closed)}};var ca=class extends li{constructor(t){super(),this.isShadowMaterial=!0,this.type="ShadowMaterial",this.color=new Xt(0),this.transparent=!0,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.fog=t.fog,this}};var ha=class extends li{constructor(t){super(),this.isMeshStandardMaterial=!0,this.type="MeshStandardMaterial",this.defines={STANDARD:""},this.color=new Xt(16777215),this.roughness=1,this.metalness=0,this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Xt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Gc,this.normalScale=new It(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.roughnessMap=null,this.metalnessMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ai,this.envMapIntensity=1,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.defines={STANDARD:""},this.color.copy(t.color),this.roughness=t.roughness,this.metalness=t.metalness,this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.roughnessMap=t.roughnessMap,this.metalnessMap=t.metalnessMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.envMapIntensity=t.envMapIntensity,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}};var Xn=class extends li{constructor(t){super(),this.isMeshLambertMaterial=!0,this.type="MeshLambertMaterial",this.color=new Xt(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.emissive=new Xt(0),this.emissiveIntensity=1,this.emissiveMap=null,this.bumpMap=null,this.bumpScale=1,this.normalMap=null,this.normalMapType=Gc,this.normalScale=new It(1,1),this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new ai,this.combine=oc,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.flatShading=!1,this.fog=!0,this.setValues(t)}copy(t){return super.copy(t),this.color.copy(t.color),this.map=t.map,this.lightMap=t.lightMap,this.lightMapIntensity=t.lightMapIntensity,this.aoMap=t.aoMap,this.aoMapIntensity=t.aoMapIntensity,this.emissive.copy(t.emissive),this.emissiveMap=t.emissiveMap,this.emissiveIntensity=t.emissiveIntensity,this.bumpMap=t.bumpMap,this.bumpScale=t.bumpScale,this.normalMap=t.normalMap,this.normalMapType=t.normalMapType,this.normalScale.copy(t.normalScale),this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.specularMap=t.specularMap,this.alphaMap=t.alphaMap,this.envMap=t.envMap,this.envMapRotation.copy(t.envMapRotation),this.combine=t.combine,this.reflectivity=t.reflectivity,this.refractionRatio=t.refractionRatio,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this.wireframeLinecap=t.wireframeLinecap,this.wireframeLinejoin=t.wireframeLinejoin,this.flatShading=t.flatShading,this.fog=t.fog,this}},kl=class extends li{constructor(t){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=Up,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(t)}copy(t){return super.copy(t),this.depthPacking=t.depthPacking,this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this.wireframe=t.wireframe,this.wireframeLinewidth=t.wireframeLinewidth,this}},zl=class extends li{constructor(t){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(t)}copy(t){return super.copy(t),this.map=t.map,this.alphaMap=t.alphaMap,this.displacementMap=t.displacementMap,this.displacementScale=t.displacementScale,this.displacementBias=t.displacementBias,this}};function pl(i,t,e){return!i||!e&&i.constructor===t?i:typeof t.BYTES_PER_ELEMENT=="number"?new t(i):Array.prototype.slice.call(i)}function v_(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}var nr=class{constructor(t,e,n,s){this.parameterPositions=t,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new e.constructor(n),this.sampleValues=e,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(t){let e=this.parameterPositions,n=this._cachedIndex,s=e[n],r=e[n-1];n:{t:{let o;e:{i:if(!(t<s)){for(let a=n+2;;){if(s===void 0){if(t<r)break i;return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=e[++n],t<s)break t}o=e.length;break e}if(!(t>=r)){let a=e[1];t<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=e[--n-1],t>=r)break t}o=n,n=0;break e}break n}for(;n<o;){let a=n+o>>>1;t<e[a]?o=a:n=a+1}if(s=e[n],r=e[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=e.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,t,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(t){let e=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=t*s;for(let o=0;o!==s;++o)e[o]=n[r+o];return e}interpolate_(){throw new Error("call to abstract method")}intervalChanged_(){}},Hl=class extends nr{constructor(t,e,n,s){super(t,e,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:pu,endingEnd:pu}}intervalChanged_(t,e,n){let s=this.parameterPositions,r=t-2,o=t+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case mu:r=t,a=2*e-n;break;case gu:r=s.length-2,a=e+s[r]-s[r+1];break;default:r=t,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case mu:o=t,l=2*n-e;break;case gu:o=1,l=n+s[1]-s[0];break;default:o=t-1,l=e}let c=(n-e)*.5,h=this.valueSize;this._weightPrev=c/(e-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=this._offsetPrev,d=this._offsetNext,u=this._weightPrev,f=this._weightNext,g=(n-e)/(s-e),x=g*g,m=x*g,p=-u*m+2*u*x-u*g,T=(1+u)*m+(-1.5-2*u)*x+(-.5+u)*g+1,b=(-1-f)*m+(1.5+f)*x+.5*g,S=f*m-f*x;for(let P=0;P!==a;++P)r[P]=p*o[h+P]+T*o[c+P]+b*o[l+P]+S*o[d+P];return r}},Vl=class extends nr{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=t*a,c=l-a,h=(n-e)/(s-e),d=1-h;for(let u=0;u!==a;++u)r[u]=o[c+u]*d+o[l+u]*h;return r}},Gl=class extends nr{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t){return this.copySampleValue_(t-1)}},ui=class{constructor(t,e,n,s){if(t===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(e===void 0||e.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+t);this.name=t,this.times=pl(e,this.TimeBufferType),this.values=pl(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(t){let e=t.constructor,n;if(e.toJSON!==this.toJSON)n=e.toJSON(t);else{n={name:t.name,times:pl(t.times,Array),values:pl(t.values,Array)};let s=t.getInterpolation();s!==t.DefaultInterpolation&&(n.interpolation=s)}return n.type=t.ValueTypeName,n}InterpolantFactoryMethodDiscrete(t){return new Gl(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodLinear(t){return new Vl(this.times,this.values,this.getValueSize(),t)}InterpolantFactoryMethodSmooth(t){return new Hl(this.times,this.values,this.getValueSize(),t)}setInterpolation(t){let e;switch(t){case Vo:e=this.InterpolantFactoryMethodDiscrete;break;case vl:e=this.InterpolantFactoryMethodLinear;break;case ml:e=this.InterpolantFactoryMethodSmooth;break}if(e===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(t!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return console.warn("THREE.KeyframeTrack:",n),this}return this.createInterpolant=e,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return Vo;case this.InterpolantFactoryMethodLinear:return vl;case this.InterpolantFactoryMethodSmooth:return ml}}getValueSize(){return this.values.length/this.times.length}shift(t){if(t!==0){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]+=t}return this}scale(t){if(t!==1){let e=this.times;for(let n=0,s=e.length;n!==s;++n)e[n]*=t}return this}trim(t,e){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<t;)++r;for(;o!==-1&&n[o]>e;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let t=!0,e=this.getValueSize();e-Math.floor(e)!==0&&(console.error("THREE.KeyframeTrack: Invalid value size in track.",this),t=!1);let n=this.times,s=this.values,r=n.length;r===0&&(console.error("THREE.KeyframeTrack: Track is empty.",this),t=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){console.error("THREE.KeyframeTrack: Time is not a valid number.",this,a,l),t=!1;break}if(o!==null&&o>l){console.error("THREE.KeyframeTrack: Out of order keys.",this,a,l,o),t=!1;break}o=l}if(s!==void 0&&v_(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){console.error("THREE.KeyframeTrack: Value is not a valid number.",this,a,c),t=!1;break}}return t}optimize(){let t=this.times.slice(),e=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===ml,r=t.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=t[a],h=t[a+1];if(c!==h&&(a!==1||c!==t[0]))if(s)l=!0;else{let d=a*n,u=d-n,f=d+n;for(let g=0;g!==n;++g){let x=e[d+g];if(x!==e[u+g]||x!==e[f+g]){l=!0;break}}}if(l){if(a!==o){t[o]=t[a];let d=a*n,u=o*n;for(let f=0;f!==n;++f)e[u+f]=e[d+f]}++o}}if(r>0){t[o]=t[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)e[l+c]=e[a+c];++o}return o!==t.length?(this.times=t.slice(0,o),this.values=e.slice(0,o*n)):(this.times=t,this.values=e),this}clone(){let t=this.times.slice(),e=this.values.slice(),n=this.constructor,s=new n(this.name,t,e);return s.createInterpolant=this.createInterpolant,s}};ui.prototype.TimeBufferType=Float32Array;ui.prototype.ValueBufferType=Float32Array;ui.prototype.DefaultInterpolation=vl;var Rs=class extends ui{constructor(t,e,n){super(t,e,n)}};Rs.prototype.ValueTypeName="bool";Rs.prototype.ValueBufferType=Array;Rs.prototype.DefaultInterpolation=Vo;Rs.prototype.InterpolantFactoryMethodLinear=void 0;Rs.prototype.InterpolantFactoryMethodSmooth=void 0;var Wl=class extends ui{};Wl.prototype.ValueTypeName="color";var Xl=class extends ui{};Xl.prototype.ValueTypeName="number";var ql=class extends nr{constructor(t,e,n,s){super(t,e,n,s)}interpolate_(t,e,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-e)/(s-e),c=t*a;for(let h=c+a;c!==h;c+=4)Gn.slerpFlat(r,0,o,c-a,o,c,l);return r}},ua=class extends ui{InterpolantFactoryMethodLinear(t){return new ql(this.times,this.values,this.getValueSize(),t)}};ua.prototype.ValueTypeName="quaternion";ua.prototype.InterpolantFactoryMethodSmooth=void 0;var Cs=class extends ui{constructor(t,e,n){super(t,e,n)}};Cs.prototype.ValueTypeName="string";Cs.prototype.ValueBufferType=Array;Cs.prototype.DefaultInterpolation=Vo;Cs.prototype.InterpolantFactoryMethodLinear=void 0;Cs.prototype.InterpolantFactoryMethodSmooth=void 0;var Yl=class extends ui{};Yl.prototype.ValueTypeName="vector";var $l=class{constructor(t,e,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=t,this.onProgress=e,this.onError=n,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,d){return c.push(h,d),this},this.removeHandler=function(h){let d=c.indexOf(h);return d!==-1&&c.splice(d,2),this},this.getHandler=function(h){for(let d=0,u=c.length;d<u;d+=2){let f=c[d],g=c[d+1];if(f.global&&(f.lastIndex=0),f.test(h))return g}return null}}},Jp=new $l,Zl=class{constructor(t){this.manager=t!==void 0?t:Jp,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={}}load(){}loadAsync(t,e){let n=this;return new Promise(function(s,r){n.load(t,s,e,r)})}parse(){}setCrossOrigin(t){return this.crossOrigin=t,this}setWithCredentials(t){return this.withCredentials=t,this}setPath(t){return this.path=t,this}setResourcePath(t){return this.resourcePath=t,this}setRequestHeader(t){return this.requestHeader=t,this}};Zl.DEFAULT_MATERIAL_NAME="__DEFAULT";var da=class extends vn{constructor(t,e=1){super(),this.isLight=!0,this.type="Light",this.color=new Xt(t),this.intensity=e}dispose(){}copy(t,e){return super.copy(t,e),this.color.copy(t.color),this.intensity=t.intensity,this}toJSON(t){let e=super.toJSON(t);return e.object.color=this.color.getHex(),e.object.intensity=this.intensity,this.groundColor!==void 0&&(e.object.groundColor=this.groundColor.getHex()),this.distance!==void 0&&(e.object.distance=this.distance),this.angle!==void 0&&(e.object.angle=this.angle),this.decay!==void 0&&(e.object.decay=this.decay),this.penumbra!==void 0&&(e.object.penumbra=this.penumbra),this.shadow!==void 0&&(e.object.shadow=this.shadow.toJSON()),this.target!==void 0&&(e.object.target=this.target.uuid),e}},fa=class extends da{constructor(t,e,n){super(t,n),this.isHemisphereLight=!0,this.type="HemisphereLight",this.position.copy(vn.DEFAULT_UP),this.updateMatrix(),this.groundColor=new Xt(e)}copy(t,e){return super.copy(t,e),this.groundColor.copy(t.groundColor),this}},fu=new ve,tp=new U,ep=new U,vu=class{constructor(t){this.camera=t,this.intensity=1,this.bias=0,this.normalBias=0,this.radius=1,this.blurSamples=8,this.mapSize=new It(512,512),this.map=null,this.mapPass=null,this.matrix=new ve,this.autoUpdate=!0,this.needsUpdate=!1,this._frustum=new jr,this._frameExtents=new It(1,1),this._viewportCount=1,this._viewports=[new Ve(0,0,1,1)]}getViewportCount(){return this._viewportCount}getFrustum(){return this._frustum}updateMatrices(t){let e=this.camera,n=this.matrix;tp.setFromMatrixPosition(t.matrixWorld),e.position.copy(tp),ep.setFromMatrixPosition(t.target.matrixWorld),e.lookAt(ep),e.updateMatrixWorld(),fu.multiplyMatrices(e.projectionMatrix,e.matrixWorldInverse),this._frustum.setFromProjectionMatrix(fu),n.set(.5,0,0,.5,0,.5,0,.5,0,0,.5,.5,0,0,0,1),n.multiply(fu)}getViewport(t){return this._viewports[t]}getFrameExtents(){return this._frameExtents}dispose(){this.map&&this.map.dispose(),this.mapPass&&this.mapPass.dispose()}copy(t){return this.camera=t.camera.clone(),this.intensity=t.intensity,this.bias=t.bias,this.radius=t.radius,this.mapSize.copy(t.mapSize),this}clone(){return new this.constructor().copy(this)}toJSON(){let t={};return this.intensity!==1&&(t.intensity=this.intensity),this.bias!==0&&(t.bias=this.bias),this.normalBias!==0&&(t.normalBias=this.normalBias),this.radius!==1&&(t.radius=this.radius),(this.mapSize.x!==512||this.mapSize.y!==512)&&(t.mapSize=this.mapSize.toArray()),t.camera=this.camera.toJSON(!1).object,delete t.camera.matrix,t}};var ir=class extends Jo{constructor(t=-1,e=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=t,this.right=e,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(t,e){return super.copy(t,e),this.left=t.left,this.right=t.right,this.top=t.top,this.bottom=t.bottom,this.near=t.near,this.far=t.far,this.zoom=t.zoom,this.view=t.view===null?null:Object.assign({},t.view),this}setViewOffset(t,e,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=t,this.view.fullHeight=e,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let t=(this.right-this.left)/(2*this.zoom),e=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-t,o=n+t,a=s+e,l=s-e;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(t){let e=super.toJSON(t);return e.object.zoom=this.zoom,e.object.left=this.left,e.object.right=this.right,e.object.top=this.top,e.object.bottom=this.bottom,e.object.near=this.near,e.object.far=this.far,this.view!==null&&(e.object.view=Object.assign({},this.view)),e}},Mu=class extends vu{constructor(){super(new ir(-5,5,5,-5,.5,500)),this.isDirectionalLightShadow=!0}},pa=class extends da{constructor(t,e){super(t,e),this.isDirectionalLight=!0,this.type="DirectionalLight",this.position.copy(vn.DEFAULT_UP),this.updateMatrix(),this.target=new vn,this.shadow=new Mu}dispose(){this.shadow.dispose()}copy(t){return super.copy(t),this.target=t.target.clone(),this.shadow=t.shadow.clone(),this}};var Jl=class extends An{constructor(t=[]){super(),this.isArrayCamera=!0,this.cameras=t}};var qu="\\[\\]\\.:\\/",M_=new RegExp("["+qu+"]","g"),Yu="[^"+qu+"]",S_="[^"+qu.replace("\\.","")+"]",b_=/((?:WC+[\/:])*)/.source.replace("WC",Yu),w_=/(WCOD+)?/.source.replace("WCOD",S_),E_=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",Yu),T_=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",Yu),A_=new RegExp("^"+b_+w_+E_+T_+"$"),R_=["material","materials","bones","map"],Su=class{constructor(t,e,n){let s=n||Oe.parseTrackName(e);this._targetGroup=t,this._bindings=t.subscribe_(e,s)}getValue(t,e){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(t,e)}setValue(t,e){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(t,e)}bind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].bind()}unbind(){let t=this._bindings;for(let e=this._targetGroup.nCachedObjects_,n=t.length;e!==n;++e)t[e].unbind()}},Oe=class i{constructor(t,e,n){this.path=e,this.parsedPath=n||i.parseTrackName(e),this.node=i.findNode(t,this.parsedPath.nodeName),this.rootNode=t,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(t,e,n){return t&&t.isAnimationObjectGroup?new i.Composite(t,e,n):new i(t,e,n)}static sanitizeNodeName(t){return t.replace(/\s/g,"_").replace(M_,"")}static parseTrackName(t){let e=A_.exec(t);if(e===null)throw new Error("PropertyBinding: Cannot parse trackName: "+t);let n={nodeName:e[2],objectName:e[3],objectIndex:e[4],propertyName:e[5],propertyIndex:e[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);R_.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("PropertyBinding: can not parse propertyName from trackName: "+t);return n}static findNode(t,e){if(e===void 0||e===""||e==="."||e===-1||e===t.name||e===t.uuid)return t;if(t.skeleton){let n=t.skeleton.getBoneByName(e);if(n!==void 0)return n}if(t.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===e||a.uuid===e)return a;let l=n(a.children);if(l)return l}return null},s=n(t.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(t,e){t[e]=this.targetObject[this.propertyName]}_getValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)t[e++]=n[s]}_getValue_arrayElement(t,e){t[e]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(t,e){this.resolvedProperty.toArray(t,e)}_setValue_direct(t,e){this.targetObject[this.propertyName]=t[e]}_setValue_direct_setNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(t,e){this.targetObject[this.propertyName]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++]}_setValue_array_setNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(t,e){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=t[e++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(t,e){this.resolvedProperty[this.propertyIndex]=t[e]}_setValue_arrayElement_setNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty[this.propertyIndex]=t[e],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(t,e){this.resolvedProperty.fromArray(t,e)}_setValue_fromArray_setNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(t,e){this.resolvedProperty.fromArray(t,e),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(t,e){this.bind(),this.getValue(t,e)}_setValue_unbound(t,e){this.bind(),this.setValue(t,e)}bind(){let t=this.node,e=this.parsedPath,n=e.objectName,s=e.propertyName,r=e.propertyIndex;if(t||(t=i.findNode(this.rootNode,e.nodeName),this.node=t),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!t){console.warn("THREE.PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=e.objectIndex;switch(n){case"materials":if(!t.material){console.error("THREE.PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.materials){console.error("THREE.PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}t=t.material.materials;break;case"bones":if(!t.skeleton){console.error("THREE.PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}t=t.skeleton.bones;for(let h=0;h<t.length;h++)if(t[h].name===c){c=h;break}break;case"map":if("map"in t){t=t.map;break}if(!t.material){console.error("THREE.PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!t.material.map){console.error("THREE.PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}t=t.material.map;break;default:if(t[n]===void 0){console.error("THREE.PropertyBinding: Can not bind to objectName of node undefined.",this);return}t=t[n]}if(c!==void 0){if(t[c]===void 0){console.error("THREE.PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,t);return}t=t[c]}}let o=t[s];if(o===void 0){let c=e.nodeName;console.error("THREE.PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",t);return}let a=this.Versioning.None;this.targetObject=t,t.needsUpdate!==void 0?a=this.Versioning.NeedsUpdate:t.matrixWorldNeedsUpdate!==void 0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!t.geometry){console.error("THREE.PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!t.geometry.morphAttributes){console.error("THREE.PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}t.morphTargetDictionary[r]!==void 0&&(r=t.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Oe.Composite=Su;Oe.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Oe.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Oe.prototype.GetterByBindingType=[Oe.prototype._getValue_direct,Oe.prototype._getValue_array,Oe.prototype._getValue_arrayElement,Oe.prototype._getValue_toArray];Oe.prototype.SetterByBindingTypeAndVersioning=[[Oe.prototype._setValue_direct,Oe.prototype._setValue_direct_setNeedsUpdate,Oe.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Oe.prototype._setValue_array,Oe.prototype._setValue_array_setNeedsUpdate,Oe.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Oe.prototype._setValue_arrayElement,Oe.prototype._setValue_arrayElement_setNeedsUpdate,Oe.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Oe.prototype._setValue_fromArray,Oe.prototype._setValue_fromArray_setNeedsUpdate,Oe.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var Ow=new Float32Array(1);var np=new ve,ma=class{constructor(t,e,n=0,s=1/0){this.ray=new is(t,e),this.near=n,this.far=s,this.camera=null,this.layers=new Jr,this.params={Mesh:{},Line:{threshold:1},LOD:{},Points:{threshold:1},Sprite:{}}}set(t,e){this.ray.set(t,e)}setFromCamera(t,e){e.isPerspectiveCamera?(this.ray.origin.setFromMatrixPosition(e.matrixWorld),this.ray.direction.set(t.x,t.y,.5).unproject(e).sub(this.ray.origin).normalize(),this.camera=e):e.isOrthographicCamera?(this.ray.origin.set(t.x,t.y,(e.near+e.far)/(e.near-e.far)).unproject(e),this.ray.direction.set(0,0,-1).transformDirection(e.matrixWorld),this.camera=e):console.error("THREE.Raycaster: Unsupported camera type: "+e.type)}setFromXRController(t){return np.identity().extractRotation(t.matrixWorld),this.ray.origin.setFromMatrixPosition(t.matrixWorld),this.ray.direction.set(0,0,-1).applyMatrix4(np),this}intersectObject(t,e=!0,n=[]){return bu(t,this,n,e),n.sort(ip),n}intersectObjects(t,e=!0,n=[]){for(let s=0,r=t.length;s<r;s++)bu(t[s],this,n,e);return n.sort(ip),n}};function ip(i,t){return i.distance-t.distance}function bu(i,t,e,n){let s=!0;if(i.layers.test(t.layers)&&i.raycast(t,e)===!1&&(s=!1),s===!0&&n===!0){let r=i.children;for(let o=0,a=r.length;o<a;o++)bu(r[o],t,e,!0)}}var to=class{constructor(t=1,e=0,n=0){return this.radius=t,this.phi=e,this.theta=n,this}set(t,e,n){return this.radius=t,this.phi=e,this.theta=n,this}copy(t){return this.radius=t.radius,this.phi=t.phi,this.theta=t.theta,this}makeSafe(){return this.phi=se(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(t){return this.setFromCartesianCoords(t.x,t.y,t.z)}setFromCartesianCoords(t,e,n){return this.radius=Math.sqrt(t*t+e*e+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(t,n),this.phi=Math.acos(se(e/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var ga=class extends Pl{constructor(t=10,e=10,n=4473924,s=8947848){n=new Xt(n),s=new Xt(s);let r=e/2,o=t/e,a=t/2,l=[],c=[];for(let u=0,f=0,g=-a;u<=e;u++,g+=o){l.push(-a,0,g,a,0,g),l.push(g,0,-a,g,0,a);let x=u===r?n:s;x.toArray(c,f),f+=3,x.toArray(c,f),f+=3,x.toArray(c,f),f+=3,x.toArray(c,f),f+=3}let h=new Ze;h.setAttribute("position",new Le(l,3)),h.setAttribute("color",new Le(c,3));let d=new ea({vertexColors:!0,toneMapped:!1});super(h,d),this.type="GridHelper"}dispose(){this.geometry.dispose(),this.material.dispose()}};var _a=class extends Fi{constructor(t,e=null){super(),this.object=t,this.domElement=e,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(){}disconnect(){}dispose(){}update(){}};function $u(i,t,e,n){let s=C_(n);switch(e){case Du:return i*t;case Nu:return i*t;case Fu:return i*t*2;case fc:return i*t/s.components*s.byteLength;case pc:return i*t/s.components*s.byteLength;case Ou:return i*t*2/s.components*s.byteLength;case mc:return i*t*2/s.components*s.byteLength;case Uu:return i*t*3/s.components*s.byteLength;case di:return i*t*4/s.components*s.byteLength;case gc:return i*t*4/s.components*s.byteLength;case va:case Ma:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case Sa:case ba:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case xc:case vc:return Math.max(i,16)*Math.max(t,8)/4;case _c:case yc:return Math.max(i,8)*Math.max(t,8)/2;case Mc:case Sc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*8;case bc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case wc:return Math.floor((i+3)/4)*Math.floor((t+3)/4)*16;case Ec:return Math.floor((i+4)/5)*Math.floor((t+3)/4)*16;case Tc:return Math.floor((i+4)/5)*Math.floor((t+4)/5)*16;case Ac:return Math.floor((i+5)/6)*Math.floor((t+4)/5)*16;case Rc:return Math.floor((i+5)/6)*Math.floor((t+5)/6)*16;case Cc:return Math.floor((i+7)/8)*Math.floor((t+4)/5)*16;case Pc:return Math.floor((i+7)/8)*Math.floor((t+5)/6)*16;case Ic:return Math.floor((i+7)/8)*Math.floor((t+7)/8)*16;case Lc:return Math.floor((i+9)/10)*Math.floor((t+4)/5)*16;case Dc:return Math.floor((i+9)/10)*Math.floor((t+5)/6)*16;case Uc:return Math.floor((i+9)/10)*Math.floor((t+7)/8)*16;case Nc:return Math.floor((i+9)/10)*Math.floor((t+9)/10)*16;case Fc:return Math.floor((i+11)/12)*Math.floor((t+9)/10)*16;case Oc:return Math.floor((i+11)/12)*Math.floor((t+11)/12)*16;case wa:case Bc:case kc:return Math.ceil(i/4)*Math.ceil(t/4)*16;case Bu:case zc:return Math.ceil(i/4)*Math.ceil(t/4)*8;case Hc:case Vc:return Math.ceil(i/4)*Math.ceil(t/4)*16}throw new Error(`Unable to determine texture byte length for ${e} format.`)}function C_(i){switch(i){case Hi:case Pu:return{byteLength:1,components:1};case eo:case Iu:case no:return{byteLength:2,components:1};case uc:case dc:return{byteLength:2,components:4};case Ds:case hc:case Ei:return{byteLength:4,components:1};case Lu:return{byteLength:4,components:3}}throw new Error(`Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:Kl}}));typeof window<"u"&&(window.__THREE__?console.warn("WARNING: Multiple instances of Three.js being imported."):window.__THREE__=Kl);function vm(){let i=null,t=!1,e=null,n=null;function s(r,o){e(r,o),n=i.requestAnimationFrame(s)}return{start:function(){t!==!0&&e!==null&&(n=i.requestAnimationFrame(s),t=!0)},stop:function(){i.cancelAnimationFrame(n),t=!1},setAnimationLoop:function(r){e=r},setContext:function(r){i=r}}}function P_(i){let t=new WeakMap;function e(a,l){let c=a.array,h=a.usage,d=c.byteLength,u=i.createBuffer();i.bindBuffer(l,u),i.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=i.FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=i.SHORT;else if(c instanceof Uint32Array)f=i.UNSIGNED_INT;else if(c instanceof Int32Array)f=i.INT;else if(c instanceof Int8Array)f=i.BYTE;else if(c instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:u,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:d}}function n(a,l,c){let h=l.array,d=l.updateRanges;if(i.bindBuffer(c,a),d.length===0)i.bufferSubData(c,0,h);else{d.sort((f,g)=>f.start-g.start);let u=0;for(let f=1;f<d.length;f++){let g=d[u],x=d[f];x.start<=g.start+g.count+1?g.count=Math.max(g.count,x.start+x.count-g.start):(++u,d[u]=x)}d.length=u+1;for(let f=0,g=d.length;f<g;f++){let x=d[f];i.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),t.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=t.get(a);l&&(i.deleteBuffer(l.buffer),t.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=t.get(a);(!h||h.version<a.version)&&t.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=t.get(a);if(c===void 0)t.set(a,e(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var I_=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,L_=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,D_=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,U_=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,N_=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,F_=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,O_=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,B_=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,k_=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec3 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 ).rgb;
	}
#endif`,z_=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,H_=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,V_=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,G_=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,W_=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,X_=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,q_=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Y_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,$_=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Z_=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,J_=`#if defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#elif defined( USE_COLOR )
	diffuseColor.rgb *= vColor;
#endif`,K_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR )
	varying vec3 vColor;
#endif`,j_=`#if defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec3 vColor;
#endif`,Q_=`#if defined( USE_COLOR_ALPHA )
	vColor = vec4( 1.0 );
#elif defined( USE_COLOR ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec3( 1.0 );
#endif
#ifdef USE_COLOR
	vColor *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.xyz *= instanceColor.xyz;
#endif
#ifdef USE_BATCHING_COLOR
	vec3 batchingColor = getBatchingColor( getIndirectIndex( gl_DrawID ) );
	vColor.xyz *= batchingColor.xyz;
#endif`,tx=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
vec3 inverseTransformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( vec4( dir, 0.0 ) * matrix ).xyz );
}
mat3 transposeMat3( const in mat3 m ) {
	mat3 tmp;
	tmp[ 0 ] = vec3( m[ 0 ].x, m[ 1 ].x, m[ 2 ].x );
	tmp[ 1 ] = vec3( m[ 0 ].y, m[ 1 ].y, m[ 2 ].y );
	tmp[ 2 ] = vec3( m[ 0 ].z, m[ 1 ].z, m[ 2 ].z );
	return tmp;
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,ex=`#ifdef ENVMAP_TYPE_CUBE_UV
	#define cubeUV_minMipLevel 4.0
	#define cubeUV_minTileSize 16.0
	float getFace( vec3 direction ) {
		vec3 absDirection = abs( direction );
		float face = - 1.0;
		if ( absDirection.x > absDirection.z ) {
			if ( absDirection.x > absDirection.y )
				face = direction.x > 0.0 ? 0.0 : 3.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		} else {
			if ( absDirection.z > absDirection.y )
				face = direction.z > 0.0 ? 2.0 : 5.0;
			else
				face = direction.y > 0.0 ? 1.0 : 4.0;
		}
		return face;
	}
	vec2 getUV( vec3 direction, float face ) {
		vec2 uv;
		if ( face == 0.0 ) {
			uv = vec2( direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 1.0 ) {
			uv = vec2( - direction.x, - direction.z ) / abs( direction.y );
		} else if ( face == 2.0 ) {
			uv = vec2( - direction.x, direction.y ) / abs( direction.z );
		} else if ( face == 3.0 ) {
			uv = vec2( - direction.z, direction.y ) / abs( direction.x );
		} else if ( face == 4.0 ) {
			uv = vec2( - direction.x, direction.z ) / abs( direction.y );
		} else {
			uv = vec2( direction.x, direction.y ) / abs( direction.z );
		}
		return 0.5 * ( uv + 1.0 );
	}
	vec3 bilinearCubeUV( sampler2D envMap, vec3 direction, float mipInt ) {
		float face = getFace( direction );
		float filterInt = max( cubeUV_minMipLevel - mipInt, 0.0 );
		mipInt = max( mipInt, cubeUV_minMipLevel );
		float faceSize = exp2( mipInt );
		highp vec2 uv = getUV( direction, face ) * ( faceSize - 2.0 ) + 1.0;
		if ( face > 2.0 ) {
			uv.y += faceSize;
			face -= 3.0;
		}
		uv.x += face * faceSize;
		uv.x += filterInt * 3.0 * cubeUV_minTileSize;
		uv.y += 4.0 * ( exp2( CUBEUV_MAX_MIP ) - faceSize );
		uv.x *= CUBEUV_TEXEL_WIDTH;
		uv.y *= CUBEUV_TEXEL_HEIGHT;
		#ifdef texture2DGradEXT
			return texture2DGradEXT( envMap, uv, vec2( 0.0 ), vec2( 0.0 ) ).rgb;
		#else
			return texture2D( envMap, uv ).rgb;
		#endif
	}
	#define cubeUV_r0 1.0
	#define cubeUV_m0 - 2.0
	#define cubeUV_r1 0.8
	#define cubeUV_m1 - 1.0
	#define cubeUV_r4 0.4
	#define cubeUV_m4 2.0
	#define cubeUV_r5 0.305
	#define cubeUV_m5 3.0
	#define cubeUV_r6 0.21
	#define cubeUV_m6 4.0
	float roughnessToMip( float roughness ) {
		float mip = 0.0;
		if ( roughness >= cubeUV_r1 ) {
			mip = ( cubeUV_r0 - roughness ) * ( cubeUV_m1 - cubeUV_m0 ) / ( cubeUV_r0 - cubeUV_r1 ) + cubeUV_m0;
		} else if ( roughness >= cubeUV_r4 ) {
			mip = ( cubeUV_r1 - roughness ) * ( cubeUV_m4 - cubeUV_m1 ) / ( cubeUV_r1 - cubeUV_r4 ) + cubeUV_m1;
		} else if ( roughness >= cubeUV_r5 ) {
			mip = ( cubeUV_r4 - roughness ) * ( cubeUV_m5 - cubeUV_m4 ) / ( cubeUV_r4 - cubeUV_r5 ) + cubeUV_m4;
		} else if ( roughness >= cubeUV_r6 ) {
			mip = ( cubeUV_r5 - roughness ) * ( cubeUV_m6 - cubeUV_m5 ) / ( cubeUV_r5 - cubeUV_r6 ) + cubeUV_m5;
		} else {
			mip = - 2.0 * log2( 1.16 * roughness );		}
		return mip;
	}
	vec4 textureCubeUV( sampler2D envMap, vec3 sampleDir, float roughness ) {
		float mip = clamp( roughnessToMip( roughness ), cubeUV_m0, CUBEUV_MAX_MIP );
		float mipF = fract( mip );
		float mipInt = floor( mip );
		vec3 color0 = bilinearCubeUV( envMap, sampleDir, mipInt );
		if ( mipF == 0.0 ) {
			return vec4( color0, 1.0 );
		} else {
			vec3 color1 = bilinearCubeUV( envMap, sampleDir, mipInt + 1.0 );
			return vec4( mix( color0, color1, mipF ), 1.0 );
		}
	}
#endif`,nx=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
	#ifdef FLIP_SIDED
		transformedTangent = - transformedTangent;
	#endif
#endif`,ix=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,sx=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,rx=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,ox=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,ax="gl_FragColor = linearToOutputTexel( gl_FragColor );",lx=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,cx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * vec3( flipEnvMap * reflectVec.x, reflectVec.yz ) );
	#else
		vec4 envColor = vec4( 0.0 );
	#endif
	#ifdef ENVMAP_BLENDING_MULTIPLY
		outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_MIX )
		outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
	#elif defined( ENVMAP_BLENDING_ADD )
		outgoingLight += envColor.xyz * specularStrength * reflectivity;
	#endif
#endif`,hx=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform float flipEnvMap;
	uniform mat3 envMapRotation;
	#ifdef ENVMAP_TYPE_CUBE
		uniform samplerCube envMap;
	#else
		uniform sampler2D envMap;
	#endif
	
#endif`,ux=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,dx=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,fx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,px=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,mx=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,gx=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,_x=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,xx=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,yx=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,vx=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,Mx=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,Sx=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif`,bx=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 worldNormal = inverseTransformDirection( normal, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * worldNormal, 1.0 );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_CUBE_UV
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, roughness * roughness) );
			reflectVec = inverseTransformDirection( reflectVec, viewMatrix );
			vec4 envMapColor = textureCubeUV( envMap, envMapRotation * reflectVec, roughness );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_CUBE_UV
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
#endif`,wx=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,Ex=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,Tx=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,Ax=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,Rx=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb * ( 1.0 - metalnessFactor );
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.0525 );material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = mix( min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = mix( vec3( 0.04 ), diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.0525 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.07, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,Cx=`struct PhysicalMaterial {
	vec3 diffuseColor;
	float roughness;
	vec3 specularColor;
	float specularF90;
	float dispersion;
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		float v = 0.5 / ( gv + gl );
		return saturate(v);
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = material.clearcoatRoughness;
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColor;
	float f90 = material.specularF90;
	float roughness = material.roughness;
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float V = V_GGX_SmithCorrelated_Anisotropic( material.alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( material.alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transposeMat3( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float a = roughness < 0.25 ? -339.2 * r2 + 161.4 * roughness - 25.9 : -8.48 * r2 + 14.3 * roughness - 9.95;
	float b = roughness < 0.25 ? 44.0 * r2 - 23.7 * roughness + 3.26 : 1.97 * r2 - 3.27 * roughness + 0.72;
	float DG = exp( a * dotNV + b ) + ( roughness < 0.25 ? 0.0 : 0.1 * ( roughness - 0.25 ) );
	return saturate( DG * RECIPROCAL_PI );
}
vec2 DFGApprox( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	const vec4 c0 = vec4( - 1, - 0.0275, - 0.572, 0.022 );
	const vec4 c1 = vec4( 1, 0.0425, 1.04, - 0.04 );
	vec4 r = roughness * c0 + c1;
	float a004 = min( r.x * r.x, exp2( - 9.28 * dotNV ) ) * r.x + r.y;
	vec2 fab = vec2( - 1.04, 1.04 ) * a004 + r.zw;
	return fab;
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	vec2 fab = DFGApprox( normal, viewDir, roughness );
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColor * t2.x + ( vec3( 1.0 ) - material.specularColor ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseColor * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
	#endif
	reflectedLight.directSpecular += irradiance * BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
	#endif
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.iridescence, material.iridescenceFresnel, material.roughness, singleScattering, multiScattering );
	#else
		computeMultiscattering( geometryNormal, geometryViewDir, material.specularColor, material.specularF90, material.roughness, singleScattering, multiScattering );
	#endif
	vec3 totalScattering = singleScattering + multiScattering;
	vec3 diffuse = material.diffuseColor * ( 1.0 - max( max( totalScattering.r, totalScattering.g ), totalScattering.b ) );
	reflectedLight.indirectSpecular += radiance * singleScattering;
	reflectedLight.indirectSpecular += multiScattering * cosineWeightedIrradiance;
	reflectedLight.indirectDiffuse += diffuse * cosineWeightedIrradiance;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,Px=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		material.iridescenceFresnel = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		material.iridescenceF0 = Schlick_to_F0( material.iridescenceFresnel, 1.0, dotNVi );
	}
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,Ix=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD ) && defined( ENVMAP_TYPE_CUBE_UV )
		iblIrradiance += getIBLIrradiance( geometryNormal );
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		radiance += getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		radiance += getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,Lx=`#if defined( RE_IndirectDiffuse )
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,Dx=`#if defined( USE_LOGDEPTHBUF )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,Ux=`#if defined( USE_LOGDEPTHBUF )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Nx=`#ifdef USE_LOGDEPTHBUF
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,Fx=`#ifdef USE_LOGDEPTHBUF
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,Ox=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,Bx=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,kx=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,zx=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,Hx=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,Vx=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,Gx=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,Wx=`#if defined( USE_MORPHCOLORS )
	vColor *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,Xx=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,qx=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,Yx=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,$x=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#if defined( DOUBLE_SIDED ) && ! defined( FLAT_SHADED )
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,Zx=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,Jx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,Kx=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,jx=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
	#endif
#endif`,Qx=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,ty=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,ey=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,ny=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,iy=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,sy=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,ry=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return depth * ( near - far ) - near;
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	return ( near * far ) / ( ( far - near ) * depth - far );
}`,oy=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,ay=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,ly=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,cy=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,hy=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,uy=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,dy=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform sampler2D pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	float texture2DCompare( sampler2D depths, vec2 uv, float compare ) {
		return step( compare, unpackRGBAToDepth( texture2D( depths, uv ) ) );
	}
	vec2 texture2DDistribution( sampler2D shadow, vec2 uv ) {
		return unpackRGBATo2Half( texture2D( shadow, uv ) );
	}
	float VSMShadow (sampler2D shadow, vec2 uv, float compare ){
		float occlusion = 1.0;
		vec2 distribution = texture2DDistribution( shadow, uv );
		float hard_shadow = step( compare , distribution.x );
		if (hard_shadow != 1.0 ) {
			float distance = compare - distribution.x ;
			float variance = max( 0.00000, distribution.y * distribution.y );
			float softness_probability = variance / (variance + distance * distance );			softness_probability = clamp( ( softness_probability - 0.3 ) / ( 0.95 - 0.3 ), 0.0, 1.0 );			occlusion = clamp( max( hard_shadow, softness_probability ), 0.0, 1.0 );
		}
		return occlusion;
	}
	float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
		float shadow = 1.0;
		shadowCoord.xyz /= shadowCoord.w;
		shadowCoord.z += shadowBias;
		bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
		bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
		if ( frustumTest ) {
		#if defined( SHADOWMAP_TYPE_PCF )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx0 = - texelSize.x * shadowRadius;
			float dy0 = - texelSize.y * shadowRadius;
			float dx1 = + texelSize.x * shadowRadius;
			float dy1 = + texelSize.y * shadowRadius;
			float dx2 = dx0 / 2.0;
			float dy2 = dy0 / 2.0;
			float dx3 = dx1 / 2.0;
			float dy3 = dy1 / 2.0;
			shadow = (
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy2 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx2, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx3, dy3 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( 0.0, dy1 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, shadowCoord.xy + vec2( dx1, dy1 ), shadowCoord.z )
			) * ( 1.0 / 17.0 );
		#elif defined( SHADOWMAP_TYPE_PCF_SOFT )
			vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
			float dx = texelSize.x;
			float dy = texelSize.y;
			vec2 uv = shadowCoord.xy;
			vec2 f = fract( uv * shadowMapSize + 0.5 );
			uv -= f * texelSize;
			shadow = (
				texture2DCompare( shadowMap, uv, shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( dx, 0.0 ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + vec2( 0.0, dy ), shadowCoord.z ) +
				texture2DCompare( shadowMap, uv + texelSize, shadowCoord.z ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, 0.0 ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 0.0 ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( -dx, dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, dy ), shadowCoord.z ),
					 f.x ) +
				mix( texture2DCompare( shadowMap, uv + vec2( 0.0, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( 0.0, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( texture2DCompare( shadowMap, uv + vec2( dx, -dy ), shadowCoord.z ),
					 texture2DCompare( shadowMap, uv + vec2( dx, 2.0 * dy ), shadowCoord.z ),
					 f.y ) +
				mix( mix( texture2DCompare( shadowMap, uv + vec2( -dx, -dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, -dy ), shadowCoord.z ),
						  f.x ),
					 mix( texture2DCompare( shadowMap, uv + vec2( -dx, 2.0 * dy ), shadowCoord.z ),
						  texture2DCompare( shadowMap, uv + vec2( 2.0 * dx, 2.0 * dy ), shadowCoord.z ),
						  f.x ),
					 f.y )
			) * ( 1.0 / 9.0 );
		#elif defined( SHADOWMAP_TYPE_VSM )
			shadow = VSMShadow( shadowMap, shadowCoord.xy, shadowCoord.z );
		#else
			shadow = texture2DCompare( shadowMap, shadowCoord.xy, shadowCoord.z );
		#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	vec2 cubeToUV( vec3 v, float texelSizeY ) {
		vec3 absV = abs( v );
		float scaleToCube = 1.0 / max( absV.x, max( absV.y, absV.z ) );
		absV *= scaleToCube;
		v *= scaleToCube * ( 1.0 - 2.0 * texelSizeY );
		vec2 planar = v.xy;
		float almostATexel = 1.5 * texelSizeY;
		float almostOne = 1.0 - almostATexel;
		if ( absV.z >= almostOne ) {
			if ( v.z > 0.0 )
				planar.x = 4.0 - v.x;
		} else if ( absV.x >= almostOne ) {
			float signX = sign( v.x );
			planar.x = v.z * signX + 2.0 * signX;
		} else if ( absV.y >= almostOne ) {
			float signY = sign( v.y );
			planar.x = v.x + 2.0 * signY + 2.0;
			planar.y = v.z * signY - 2.0;
		}
		return vec2( 0.125, 0.25 ) * planar + vec2( 0.375, 0.75 );
	}
	float getPointShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		
		float lightToPositionLength = length( lightToPosition );
		if ( lightToPositionLength - shadowCameraFar <= 0.0 && lightToPositionLength - shadowCameraNear >= 0.0 ) {
			float dp = ( lightToPositionLength - shadowCameraNear ) / ( shadowCameraFar - shadowCameraNear );			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			vec2 texelSize = vec2( 1.0 ) / ( shadowMapSize * vec2( 4.0, 2.0 ) );
			#if defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_PCF_SOFT ) || defined( SHADOWMAP_TYPE_VSM )
				vec2 offset = vec2( - 1, 1 ) * shadowRadius * texelSize.y;
				shadow = (
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yyx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxy, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.xxx, texelSize.y ), dp ) +
					texture2DCompare( shadowMap, cubeToUV( bd3D + offset.yxx, texelSize.y ), dp )
				) * ( 1.0 / 9.0 );
			#else
				shadow = texture2DCompare( shadowMap, cubeToUV( bd3D, texelSize.y ), dp );
			#endif
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
#endif`,fy=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,py=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	vec3 shadowWorldNormal = inverseTransformDirection( transformedNormal, viewMatrix );
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,my=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,gy=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,_y=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,xy=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,yy=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,vy=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,My=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,Sy=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,by=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,wy=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = inverseTransformDirection( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseColor, material.specularColor, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,Ey=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
		
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
		
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		
		#else
		
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,Ty=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Ay=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,Ry=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,Cy=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,Py=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,Iy=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Ly=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Dy=`#ifdef ENVMAP_TYPE_CUBE
	uniform samplerCube envMap;
#elif defined( ENVMAP_TYPE_CUBE_UV )
	uniform sampler2D envMap;
#endif
uniform float flipEnvMap;
uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <cube_uv_reflection_fragment>
void main() {
	#ifdef ENVMAP_TYPE_CUBE
		vec4 texColor = textureCube( envMap, backgroundRotation * vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) );
	#elif defined( ENVMAP_TYPE_CUBE_UV )
		vec4 texColor = textureCubeUV( envMap, backgroundRotation * vWorldDirection, backgroundBlurriness );
	#else
		vec4 texColor = vec4( 0.0, 0.0, 0.0, 1.0 );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Uy=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,Ny=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Fy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,Oy=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	float fragCoordZ = 0.5 * vHighPrecisionZW[0] / vHighPrecisionZW[1] + 0.5;
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,By=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,ky=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main () {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = packDepthToRGBA( dist );
}`,zy=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,Hy=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Vy=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Gy=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Wy=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Xy=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,qy=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Yy=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,$y=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,Zy=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Jy=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Ky=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <packing>
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( packNormalToRGB( normal ), diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,jy=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Qy=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,tv=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,ev=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <cube_uv_reflection_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
		float sheenEnergyComp = 1.0 - 0.157 * max3( material.sheenColor );
		outgoingLight = outgoingLight * sheenEnergyComp + sheenSpecularDirect + sheenSpecularIndirect;
	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,nv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,iv=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <packing>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,sv=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,rv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,ov=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,av=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <packing>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,lv=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,cv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,re={alphahash_fragment:I_,alphahash_pars_fragment:L_,alphamap_fragment:D_,alphamap_pars_fragment:U_,alphatest_fragment:N_,alphatest_pars_fragment:F_,aomap_fragment:O_,aomap_pars_fragment:B_,batching_pars_vertex:k_,batching_vertex:z_,begin_vertex:H_,beginnormal_vertex:V_,bsdfs:G_,iridescence_fragment:W_,bumpmap_pars_fragment:X_,clipping_planes_fragment:q_,clipping_planes_pars_fragment:Y_,clipping_planes_pars_vertex:$_,clipping_planes_vertex:Z_,color_fragment:J_,color_pars_fragment:K_,color_pars_vertex:j_,color_vertex:Q_,common:tx,cube_uv_reflection_fragment:ex,defaultnormal_vertex:nx,displacementmap_pars_vertex:ix,displacementmap_vertex:sx,emissivemap_fragment:rx,emissivemap_pars_fragment:ox,colorspace_fragment:ax,colorspace_pars_fragment:lx,envmap_fragment:cx,envmap_common_pars_fragment:hx,envmap_pars_fragment:ux,envmap_pars_vertex:dx,envmap_physical_pars_fragment:bx,envmap_vertex:fx,fog_vertex:px,fog_pars_vertex:mx,fog_fragment:gx,fog_pars_fragment:_x,gradientmap_pars_fragment:xx,lightmap_pars_fragment:yx,lights_lambert_fragment:vx,lights_lambert_pars_fragment:Mx,lights_pars_begin:Sx,lights_toon_fragment:wx,lights_toon_pars_fragment:Ex,lights_phong_fragment:Tx,lights_phong_pars_fragment:Ax,lights_physical_fragment:Rx,lights_physical_pars_fragment:Cx,lights_fragment_begin:Px,lights_fragment_maps:Ix,lights_fragment_end:Lx,logdepthbuf_fragment:Dx,logdepthbuf_pars_fragment:Ux,logdepthbuf_pars_vertex:Nx,logdepthbuf_vertex:Fx,map_fragment:Ox,map_pars_fragment:Bx,map_particle_fragment:kx,map_particle_pars_fragment:zx,metalnessmap_fragment:Hx,metalnessmap_pars_fragment:Vx,morphinstance_vertex:Gx,morphcolor_vertex:Wx,morphnormal_vertex:Xx,morphtarget_pars_vertex:qx,morphtarget_vertex:Yx,normal_fragment_begin:$x,normal_fragment_maps:Zx,normal_pars_fragment:Jx,normal_pars_vertex:Kx,normal_vertex:jx,normalmap_pars_fragment:Qx,clearcoat_normal_fragment_begin:ty,clearcoat_normal_fragment_maps:ey,clearcoat_pars_fragment:ny,iridescence_pars_fragment:iy,opaque_fragment:sy,packing:ry,premultiplied_alpha_fragment:oy,project_vertex:ay,dithering_fragment:ly,dithering_pars_fragment:cy,roughnessmap_fragment:hy,roughnessmap_pars_fragment:uy,shadowmap_pars_fragment:dy,shadowmap_pars_vertex:fy,shadowmap_vertex:py,shadowmask_pars_fragment:my,skinbase_vertex:gy,skinning_pars_vertex:_y,skinning_vertex:xy,skinnormal_vertex:yy,specularmap_fragment:vy,specularmap_pars_fragment:My,tonemapping_fragment:Sy,tonemapping_pars_fragment:by,transmission_fragment:wy,transmission_pars_fragment:Ey,uv_pars_fragment:Ty,uv_pars_vertex:Ay,uv_vertex:Ry,worldpos_vertex:Cy,background_vert:Py,background_frag:Iy,backgroundCube_vert:Ly,backgroundCube_frag:Dy,cube_vert:Uy,cube_frag:Ny,depth_vert:Fy,depth_frag:Oy,distanceRGBA_vert:By,distanceRGBA_frag:ky,equirect_vert:zy,equirect_frag:Hy,linedashed_vert:Vy,linedashed_frag:Gy,meshbasic_vert:Wy,meshbasic_frag:Xy,meshlambert_vert:qy,meshlambert_frag:Yy,meshmatcap_vert:$y,meshmatcap_frag:Zy,meshnormal_vert:Jy,meshnormal_frag:Ky,meshphong_vert:jy,meshphong_frag:Qy,meshphysical_vert:tv,meshphysical_frag:ev,meshtoon_vert:nv,meshtoon_frag:iv,points_vert:sv,points_frag:rv,shadow_vert:ov,shadow_frag:av,sprite_vert:lv,sprite_frag:cv},vt={common:{diffuse:{value:new Xt(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new ee}},envmap:{envMap:{value:null},envMapRotation:{value:new ee},flipEnvMap:{value:-1},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new ee}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new ee}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new ee},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new ee},normalScale:{value:new It(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new ee},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new ee}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new ee}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new ee}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Xt(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMap:{value:[]},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotShadowMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMap:{value:[]},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null}},points:{diffuse:{value:new Xt(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0},uvTransform:{value:new ee}},sprite:{diffuse:{value:new Xt(16777215)},opacity:{value:1},center:{value:new It(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new ee},alphaMap:{value:null},alphaMapTransform:{value:new ee},alphaTest:{value:0}}},Vi={basic:{uniforms:Rn([vt.common,vt.specularmap,vt.envmap,vt.aomap,vt.lightmap,vt.fog]),vertexShader:re.meshbasic_vert,fragmentShader:re.meshbasic_frag},lambert:{uniforms:Rn([vt.common,vt.specularmap,vt.envmap,vt.aomap,vt.lightmap,vt.emissivemap,vt.bumpmap,vt.normalmap,vt.displacementmap,vt.fog,vt.lights,{emissive:{value:new Xt(0)}}]),vertexShader:re.meshlambert_vert,fragmentShader:re.meshlambert_frag},phong:{uniforms:Rn([vt.common,vt.specularmap,vt.envmap,vt.aomap,vt.lightmap,vt.emissivemap,vt.bumpmap,vt.normalmap,vt.displacementmap,vt.fog,vt.lights,{emissive:{value:new Xt(0)},specular:{value:new Xt(1118481)},shininess:{value:30}}]),vertexShader:re.meshphong_vert,fragmentShader:re.meshphong_frag},standard:{uniforms:Rn([vt.common,vt.envmap,vt.aomap,vt.lightmap,vt.emissivemap,vt.bumpmap,vt.normalmap,vt.displacementmap,vt.roughnessmap,vt.metalnessmap,vt.fog,vt.lights,{emissive:{value:new Xt(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag},toon:{uniforms:Rn([vt.common,vt.aomap,vt.lightmap,vt.emissivemap,vt.bumpmap,vt.normalmap,vt.displacementmap,vt.gradientmap,vt.fog,vt.lights,{emissive:{value:new Xt(0)}}]),vertexShader:re.meshtoon_vert,fragmentShader:re.meshtoon_frag},matcap:{uniforms:Rn([vt.common,vt.bumpmap,vt.normalmap,vt.displacementmap,vt.fog,{matcap:{value:null}}]),vertexShader:re.meshmatcap_vert,fragmentShader:re.meshmatcap_frag},points:{uniforms:Rn([vt.points,vt.fog]),vertexShader:re.points_vert,fragmentShader:re.points_frag},dashed:{uniforms:Rn([vt.common,vt.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:re.linedashed_vert,fragmentShader:re.linedashed_frag},depth:{uniforms:Rn([vt.common,vt.displacementmap]),vertexShader:re.depth_vert,fragmentShader:re.depth_frag},normal:{uniforms:Rn([vt.common,vt.bumpmap,vt.normalmap,vt.displacementmap,{opacity:{value:1}}]),vertexShader:re.meshnormal_vert,fragmentShader:re.meshnormal_frag},sprite:{uniforms:Rn([vt.sprite,vt.fog]),vertexShader:re.sprite_vert,fragmentShader:re.sprite_frag},background:{uniforms:{uvTransform:{value:new ee},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:re.background_vert,fragmentShader:re.background_frag},backgroundCube:{uniforms:{envMap:{value:null},flipEnvMap:{value:-1},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new ee}},vertexShader:re.backgroundCube_vert,fragmentShader:re.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:re.cube_vert,fragmentShader:re.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:re.equirect_vert,fragmentShader:re.equirect_frag},distanceRGBA:{uniforms:Rn([vt.common,vt.displacementmap,{referencePosition:{value:new U},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:re.distanceRGBA_vert,fragmentShader:re.distanceRGBA_frag},shadow:{uniforms:Rn([vt.lights,vt.fog,{color:{value:new Xt(0)},opacity:{value:1}}]),vertexShader:re.shadow_vert,fragmentShader:re.shadow_frag}};Vi.physical={uniforms:Rn([Vi.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new ee},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new ee},clearcoatNormalScale:{value:new It(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new ee},dispersion:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new ee},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new ee},sheen:{value:0},sheenColor:{value:new Xt(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new ee},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new ee},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new ee},transmissionSamplerSize:{value:new It},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new ee},attenuationDistance:{value:0},attenuationColor:{value:new Xt(0)},specularColor:{value:new Xt(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new ee},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new ee},anisotropyVector:{value:new It},anisotropyMap:{value:null},anisotropyMapTransform:{value:new ee}}]),vertexShader:re.meshphysical_vert,fragmentShader:re.meshphysical_frag};var Xc={r:0,b:0,g:0},cr=new ai,hv=new ve;function uv(i,t,e,n,s,r,o){let a=new Xt(0),l=r===!0?0:1,c,h,d=null,u=0,f=null;function g(b){let S=b.isScene===!0?b.background:null;return S&&S.isTexture&&(S=(b.backgroundBlurriness>0?e:t).get(S)),S}function x(b){let S=!1,P=g(b);P===null?p(a,l):P&&P.isColor&&(p(P,1),S=!0);let R=i.xr.getEnvironmentBlendMode();R==="additive"?n.buffers.color.setClear(0,0,0,1,o):R==="alpha-blend"&&n.buffers.color.setClear(0,0,0,0,o),(i.autoClear||S)&&(n.buffers.depth.setTest(!0),n.buffers.depth.setMask(!0),n.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function m(b,S){let P=g(S);P&&(P.isCubeTexture||P.mapping===xa)?(h===void 0&&(h=new De(new hi(1,1,1),new Qn({name:"BackgroundCubeMaterial",uniforms:lr(Vi.backgroundCube.uniforms),vertexShader:Vi.backgroundCube.vertexShader,fragmentShader:Vi.backgroundCube.fragmentShader,side:Fn,depthTest:!1,depthWrite:!1,fog:!1})),h.geometry.deleteAttribute("normal"),h.geometry.deleteAttribute("uv"),h.onBeforeRender=function(R,L,N){this.matrixWorld.copyPosition(N.matrixWorld)},Object.defineProperty(h.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),s.update(h)),cr.copy(S.backgroundRotation),cr.x*=-1,cr.y*=-1,cr.z*=-1,P.isCubeTexture&&P.isRenderTargetTexture===!1&&(cr.y*=-1,cr.z*=-1),h.material.uniforms.envMap.value=P,h.material.uniforms.flipEnvMap.value=P.isCubeTexture&&P.isRenderTargetTexture===!1?-1:1,h.material.uniforms.backgroundBlurriness.value=S.backgroundBlurriness,h.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,h.material.uniforms.backgroundRotation.value.setFromMatrix4(hv.makeRotationFromEuler(cr)),h.material.toneMapped=ge.getTransfer(P.colorSpace)!==we,(d!==P||u!==P.version||f!==i.toneMapping)&&(h.material.needsUpdate=!0,d=P,u=P.version,f=i.toneMapping),h.layers.enableAll(),b.unshift(h,h.geometry,h.material,0,0,null)):P&&P.isTexture&&(c===void 0&&(c=new De(new ss(2,2),new Qn({name:"BackgroundMaterial",uniforms:lr(Vi.background.uniforms),vertexShader:Vi.background.vertexShader,fragmentShader:Vi.background.fragmentShader,side:ns,depthTest:!1,depthWrite:!1,fog:!1})),c.geometry.deleteAttribute("normal"),Object.defineProperty(c.material,"map",{get:function(){return this.uniforms.t2D.value}}),s.update(c)),c.material.uniforms.t2D.value=P,c.material.uniforms.backgroundIntensity.value=S.backgroundIntensity,c.material.toneMapped=ge.getTransfer(P.colorSpace)!==we,P.matrixAutoUpdate===!0&&P.updateMatrix(),c.material.uniforms.uvTransform.value.copy(P.matrix),(d!==P||u!==P.version||f!==i.toneMapping)&&(c.material.needsUpdate=!0,d=P,u=P.version,f=i.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null))}function p(b,S){b.getRGB(Xc,Wu(i)),n.buffers.color.setClear(Xc.r,Xc.g,Xc.b,S,o)}function T(){h!==void 0&&(h.geometry.dispose(),h.material.dispose()),c!==void 0&&(c.geometry.dispose(),c.material.dispose())}return{getClearColor:function(){return a},setClearColor:function(b,S=1){a.set(b),l=S,p(a,l)},getClearAlpha:function(){return l},setClearAlpha:function(b){l=b,p(a,l)},render:x,addToRenderList:m,dispose:T}}function dv(i,t){let e=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=u(null),r=s,o=!1;function a(v,A,V,z,W){let Z=!1,Y=d(z,V,A);r!==Y&&(r=Y,c(r.object)),Z=f(v,z,V,W),Z&&g(v,z,V,W),W!==null&&t.update(W,i.ELEMENT_ARRAY_BUFFER),(Z||o)&&(o=!1,S(v,A,V,z),W!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,t.get(W).buffer))}function l(){return i.createVertexArray()}function c(v){return i.bindVertexArray(v)}function h(v){return i.deleteVertexArray(v)}function d(v,A,V){let z=V.wireframe===!0,W=n[v.id];W===void 0&&(W={},n[v.id]=W);let Z=W[A.id];Z===void 0&&(Z={},W[A.id]=Z);let Y=Z[z];return Y===void 0&&(Y=u(l()),Z[z]=Y),Y}function u(v){let A=[],V=[],z=[];for(let W=0;W<e;W++)A[W]=0,V[W]=0,z[W]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:A,enabledAttributes:V,attributeDivisors:z,object:v,attributes:{},index:null}}function f(v,A,V,z){let W=r.attributes,Z=A.attributes,Y=0,et=V.getAttributes();for(let j in et)if(et[j].location>=0){let ot=W[j],mt=Z[j];if(mt===void 0&&(j==="instanceMatrix"&&v.instanceMatrix&&(mt=v.instanceMatrix),j==="instanceColor"&&v.instanceColor&&(mt=v.instanceColor)),ot===void 0||ot.attribute!==mt||mt&&ot.data!==mt.data)return!0;Y++}return r.attributesNum!==Y||r.index!==z}function g(v,A,V,z){let W={},Z=A.attributes,Y=0,et=V.getAttributes();for(let j in et)if(et[j].location>=0){let ot=Z[j];ot===void 0&&(j==="instanceMatrix"&&v.instanceMatrix&&(ot=v.instanceMatrix),j==="instanceColor"&&v.instanceColor&&(ot=v.instanceColor));let mt={};mt.attribute=ot,ot&&ot.data&&(mt.data=ot.data),W[j]=mt,Y++}r.attributes=W,r.attributesNum=Y,r.index=z}function x(){let v=r.newAttributes;for(let A=0,V=v.length;A<V;A++)v[A]=0}function m(v){p(v,0)}function p(v,A){let V=r.newAttributes,z=r.enabledAttributes,W=r.attributeDivisors;V[v]=1,z[v]===0&&(i.enableVertexAttribArray(v),z[v]=1),W[v]!==A&&(i.vertexAttribDivisor(v,A),W[v]=A)}function T(){let v=r.newAttributes,A=r.enabledAttributes;for(let V=0,z=A.length;V<z;V++)A[V]!==v[V]&&(i.disableVertexAttribArray(V),A[V]=0)}function b(v,A,V,z,W,Z,Y){Y===!0?i.vertexAttribIPointer(v,A,V,W,Z):i.vertexAttribPointer(v,A,V,z,W,Z)}function S(v,A,V,z){x();let W=z.attributes,Z=V.getAttributes(),Y=A.defaultAttributeValues;for(let et in Z){let j=Z[et];if(j.location>=0){let ut=W[et];if(ut===void 0&&(et==="instanceMatrix"&&v.instanceMatrix&&(ut=v.instanceMatrix),et==="instanceColor"&&v.instanceColor&&(ut=v.instanceColor)),ut!==void 0){let ot=ut.normalized,mt=ut.itemSize,ft=t.get(ut);if(ft===void 0)continue;let Wt=ft.buffer,J=ft.type,ct=ft.bytesPerElement,Nt=J===i.INT||J===i.UNSIGNED_INT||ut.gpuType===hc;if(ut.isInterleavedBufferAttribute){let dt=ut.data,Ft=dt.stride,Vt=ut.offset;if(dt.isInstancedInterleavedBuffer){for(let kt=0;kt<j.locationSize;kt++)p(j.location+kt,dt.meshPerAttribute);v.isInstancedMesh!==!0&&z._maxInstanceCount===void 0&&(z._maxInstanceCount=dt.meshPerAttribute*dt.count)}else for(let kt=0;kt<j.locationSize;kt++)m(j.location+kt);i.bindBuffer(i.ARRAY_BUFFER,Wt);for(let kt=0;kt<j.locationSize;kt++)b(j.location+kt,mt/j.locationSize,J,ot,Ft*ct,(Vt+mt/j.locationSize*kt)*ct,Nt)}else{if(ut.isInstancedBufferAttribute){for(let dt=0;dt<j.locationSize;dt++)p(j.location+dt,ut.meshPerAttribute);v.isInstancedMesh!==!0&&z._maxInstanceCount===void 0&&(z._maxInstanceCount=ut.meshPerAttribute*ut.count)}else for(let dt=0;dt<j.locationSize;dt++)m(j.location+dt);i.bindBuffer(i.ARRAY_BUFFER,Wt);for(let dt=0;dt<j.locationSize;dt++)b(j.location+dt,mt/j.locationSize,J,ot,mt*ct,mt/j.locationSize*dt*ct,Nt)}}else if(Y!==void 0){let ot=Y[et];if(ot!==void 0)switch(ot.length){case 2:i.vertexAttrib2fv(j.location,ot);break;case 3:i.vertexAttrib3fv(j.location,ot);break;case 4:i.vertexAttrib4fv(j.location,ot);break;default:i.vertexAttrib1fv(j.location,ot)}}}}T()}function P(){N();for(let v in n){let A=n[v];for(let V in A){let z=A[V];for(let W in z)h(z[W].object),delete z[W];delete A[V]}delete n[v]}}function R(v){if(n[v.id]===void 0)return;let A=n[v.id];for(let V in A){let z=A[V];for(let W in z)h(z[W].object),delete z[W];delete A[V]}delete n[v.id]}function L(v){for(let A in n){let V=n[A];if(V[v.id]===void 0)continue;let z=V[v.id];for(let W in z)h(z[W].object),delete z[W];delete V[v.id]}}function N(){E(),o=!0,r!==s&&(r=s,c(r.object))}function E(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:N,resetDefaultState:E,dispose:P,releaseStatesOfGeometry:R,releaseStatesOfProgram:L,initAttributes:x,enableAttribute:m,disableUnusedAttributes:T}}function fv(i,t,e){let n;function s(c){n=c}function r(c,h){i.drawArrays(n,c,h),e.update(h,n,1)}function o(c,h,d){d!==0&&(i.drawArraysInstanced(n,c,h,d),e.update(h,n,d))}function a(c,h,d){if(d===0)return;t.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,c,0,h,0,d);let f=0;for(let g=0;g<d;g++)f+=h[g];e.update(f,n,1)}function l(c,h,d,u){if(d===0)return;let f=t.get("WEBGL_multi_draw");if(f===null)for(let g=0;g<c.length;g++)o(c[g],h[g],u[g]);else{f.multiDrawArraysInstancedWEBGL(n,c,0,h,0,u,0,d);let g=0;for(let x=0;x<d;x++)g+=h[x]*u[x];e.update(g,n,1)}}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a,this.renderMultiDrawInstances=l}function pv(i,t,e,n){let s;function r(){if(s!==void 0)return s;if(t.has("EXT_texture_filter_anisotropic")===!0){let L=t.get("EXT_texture_filter_anisotropic");s=i.getParameter(L.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(L){return!(L!==di&&n.convert(L)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(L){let N=L===no&&(t.has("EXT_color_buffer_half_float")||t.has("EXT_color_buffer_float"));return!(L!==Hi&&n.convert(L)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE)&&L!==Ei&&!N)}function l(L){if(L==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";L="mediump"}return L==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=e.precision!==void 0?e.precision:"highp",h=l(c);h!==c&&(console.warn("THREE.WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let d=e.logarithmicDepthBuffer===!0,u=e.reverseDepthBuffer===!0&&t.has("EXT_clip_control"),f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),g=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),m=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),T=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),b=i.getParameter(i.MAX_VARYING_VECTORS),S=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),P=g>0,R=i.getParameter(i.MAX_SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reverseDepthBuffer:u,maxTextures:f,maxVertexTextures:g,maxTextureSize:x,maxCubemapSize:m,maxAttributes:p,maxVertexUniforms:T,maxVaryings:b,maxFragmentUniforms:S,vertexTextures:P,maxSamples:R}}function mv(i){let t=this,e=null,n=0,s=!1,r=!1,o=new zn,a=new ee,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(d,u){let f=d.length!==0||u||n!==0||s;return s=u,n=d.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(d,u){e=h(d,u,0)},this.setState=function(d,u,f){let g=d.clippingPlanes,x=d.clipIntersection,m=d.clipShadows,p=i.get(d);if(!s||g===null||g.length===0||r&&!m)r?h(null):c();else{let T=r?0:n,b=T*4,S=p.clippingState||null;l.value=S,S=h(g,u,b,f);for(let P=0;P!==b;++P)S[P]=e[P];p.clippingState=S,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=T}};function c(){l.value!==e&&(l.value=e,l.needsUpdate=n>0),t.numPlanes=n,t.numIntersection=0}function h(d,u,f,g){let x=d!==null?d.length:0,m=null;if(x!==0){if(m=l.value,g!==!0||m===null){let p=f+x*4,T=u.matrixWorldInverse;a.getNormalMatrix(T),(m===null||m.length<p)&&(m=new Float32Array(p));for(let b=0,S=f;b!==x;++b,S+=4)o.copy(d[b]).applyMatrix4(T,a),o.normal.toArray(m,S),m[S+3]=o.constant}l.value=m,l.needsUpdate=!0}return t.numPlanes=x,t.numIntersection=0,m}}function gv(i){let t=new WeakMap;function e(o,a){return a===ac?o.mapping=sr:a===lc&&(o.mapping=rr),o}function n(o){if(o&&o.isTexture){let a=o.mapping;if(a===ac||a===lc)if(t.has(o)){let l=t.get(o).texture;return e(l,o.mapping)}else{let l=o.image;if(l&&l.height>0){let c=new El(l.height);return c.fromEquirectangularTexture(i,o),t.set(o,c),o.addEventListener("dispose",s),e(c.texture,o.mapping)}else return null}}return o}function s(o){let a=o.target;a.removeEventListener("dispose",s);let l=t.get(a);l!==void 0&&(t.delete(a),l.dispose())}function r(){t=new WeakMap}return{get:n,dispose:r}}var ro=4,Kp=[.125,.215,.35,.446,.526,.582],dr=20,Zu=new ir,jp=new Xt,Ju=null,Ku=0,ju=0,Qu=!1,ur=(1+Math.sqrt(5))/2,so=1/ur,Qp=[new U(-ur,so,0),new U(ur,so,0),new U(-so,0,ur),new U(so,0,ur),new U(0,ur,-so),new U(0,ur,so),new U(-1,1,-1),new U(1,1,-1),new U(-1,1,1),new U(1,1,1)],$c=class{constructor(t){this._renderer=t,this._pingPongRenderTarget=null,this._lodMax=0,this._cubeSize=0,this._lodPlanes=[],this._sizeLods=[],this._sigmas=[],this._blurMaterial=null,this._cubemapMaterial=null,this._equirectMaterial=null,this._compileMaterial(this._blurMaterial)}fromScene(t,e=0,n=.1,s=100){Ju=this._renderer.getRenderTarget(),Ku=this._renderer.getActiveCubeFace(),ju=this._renderer.getActiveMipmapLevel(),Qu=this._renderer.xr.enabled,this._renderer.xr.enabled=!1,this._setSize(256);let r=this._allocateTargets();return r.depthBuffer=!0,this._sceneToCubeUV(t,n,s,r),e>0&&this._blur(r,0,0,e),this._applyPMREM(r),this._cleanup(r),r}fromEquirectangular(t,e=null){return this._fromTexture(t,e)}fromCubemap(t,e=null){return this._fromTexture(t,e)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=nm(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=em(),this._compileMaterial(this._equirectMaterial))}dispose(){this._dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose()}_setSize(t){this._lodMax=Math.floor(Math.log2(t)),this._cubeSize=Math.pow(2,this._lodMax)}_dispose(){this._blurMaterial!==null&&this._blurMaterial.dispose(),this._pingPongRenderTarget!==null&&this._pingPongRenderTarget.dispose();for(let t=0;t<this._lodPlanes.length;t++)this._lodPlanes[t].dispose()}_cleanup(t){this._renderer.setRenderTarget(Ju,Ku,ju),this._renderer.xr.enabled=Qu,t.scissorTest=!1,qc(t,0,0,t.width,t.height)}_fromTexture(t,e){t.mapping===sr||t.mapping===rr?this._setSize(t.image.length===0?16:t.image[0].width||t.image[0].image.width):this._setSize(t.image.width/4),Ju=this._renderer.getRenderTarget(),Ku=this._renderer.getActiveCubeFace(),ju=this._renderer.getActiveMipmapLevel(),Qu=this._renderer.xr.enabled,this._renderer.xr.enabled=!1;let n=e||this._allocateTargets();return this._textureToCubeUV(t,n),this._applyPMREM(n),this._cleanup(n),n}_allocateTargets(){let t=3*Math.max(this._cubeSize,112),e=4*this._cubeSize,n={magFilter:bi,minFilter:bi,generateMipmaps:!1,type:no,format:di,colorSpace:tr,depthBuffer:!1},s=tm(t,e,n);if(this._pingPongRenderTarget===null||this._pingPongRenderTarget.width!==t||this._pingPongRenderTarget.height!==e){this._pingPongRenderTarget!==null&&this._dispose(),this._pingPongRenderTarget=tm(t,e,n);let{_lodMax:r}=this;({sizeLods:this._sizeLods,lodPlanes:this._lodPlanes,sigmas:this._sigmas}=_v(r)),this._blurMaterial=xv(r,t,e)}return s}_compileMaterial(t){let e=new De(this._lodPlanes[0],t);this._renderer.compile(e,Zu)}_sceneToCubeUV(t,e,n,s){let a=new An(90,1,e,n),l=[1,-1,1,1,1,1],c=[1,1,1,-1,-1,-1],h=this._renderer,d=h.autoClear,u=h.toneMapping;h.getClearColor(jp),h.toneMapping=wi,h.autoClear=!1;let f=new ci({name:"PMREM.Background",side:Fn,depthWrite:!1,depthTest:!1}),g=new De(new hi,f),x=!1,m=t.background;m?m.isColor&&(f.color.copy(m),t.background=null,x=!0):(f.color.copy(jp),x=!0);for(let p=0;p<6;p++){let T=p%3;T===0?(a.up.set(0,l[p],0),a.lookAt(c[p],0,0)):T===1?(a.up.set(0,0,l[p]),a.lookAt(0,c[p],0)):(a.up.set(0,l[p],0),a.lookAt(0,0,c[p]));let b=this._cubeSize;qc(s,T*b,p>2?b:0,b,b),h.setRenderTarget(s),x&&h.render(g,a),h.render(t,a)}g.geometry.dispose(),g.material.dispose(),h.toneMapping=u,h.autoClear=d,t.background=m}_textureToCubeUV(t,e){let n=this._renderer,s=t.mapping===sr||t.mapping===rr;s?(this._cubemapMaterial===null&&(this._cubemapMaterial=nm()),this._cubemapMaterial.uniforms.flipEnvMap.value=t.isRenderTargetTexture===!1?-1:1):this._equirectMaterial===null&&(this._equirectMaterial=em());let r=s?this._cubemapMaterial:this._equirectMaterial,o=new De(this._lodPlanes[0],r),a=r.uniforms;a.envMap.value=t;let l=this._cubeSize;qc(e,0,0,3*l,2*l),n.setRenderTarget(e),n.render(o,Zu)}_applyPMREM(t){let e=this._renderer,n=e.autoClear;e.autoClear=!1;let s=this._lodPlanes.length;for(let r=1;r<s;r++){let o=Math.sqrt(this._sigmas[r]*this._sigmas[r]-this._sigmas[r-1]*this._sigmas[r-1]),a=Qp[(s-r-1)%Qp.length];this._blur(t,r-1,r,o,a)}e.autoClear=n}_blur(t,e,n,s,r){let o=this._pingPongRenderTarget;this._halfBlur(t,o,e,n,s,"latitudinal",r),this._halfBlur(o,t,n,n,s,"longitudinal",r)}_halfBlur(t,e,n,s,r,o,a){let l=this._renderer,c=this._blurMaterial;o!=="latitudinal"&&o!=="longitudinal"&&console.error("blur direction must be either latitudinal or longitudinal!");let h=3,d=new De(this._lodPlanes[s],c),u=c.uniforms,f=this._sizeLods[n]-1,g=isFinite(r)?Math.PI/(2*f):2*Math.PI/(2*dr-1),x=r/g,m=isFinite(r)?1+Math.floor(h*x):dr;m>dr&&console.warn(`sigmaRadians, ${r}, is too large and will clip, as it requested ${m} samples when the maximum is set to ${dr}`);let p=[],T=0;for(let L=0;L<dr;++L){let N=L/x,E=Math.exp(-N*N/2);p.push(E),L===0?T+=E:L<m&&(T+=2*E)}for(let L=0;L<p.length;L++)p[L]=p[L]/T;u.envMap.value=t.texture,u.samples.value=m,u.weights.value=p,u.latitudinal.value=o==="latitudinal",a&&(u.poleAxis.value=a);let{_lodMax:b}=this;u.dTheta.value=g,u.mipInt.value=b-n;let S=this._sizeLods[s],P=3*S*(s>b-ro?s-b+ro:0),R=4*(this._cubeSize-S);qc(e,P,R,3*S,2*S),l.setRenderTarget(e),l.render(d,Zu)}};function _v(i){let t=[],e=[],n=[],s=i,r=i-ro+1+Kp.length;for(let o=0;o<r;o++){let a=Math.pow(2,s);e.push(a);let l=1/a;o>i-ro?l=Kp[o-i+ro-1]:o===0&&(l=0),n.push(l);let c=1/(a-2),h=-c,d=1+c,u=[h,h,d,h,d,d,h,h,d,d,h,d],f=6,g=6,x=3,m=2,p=1,T=new Float32Array(x*g*f),b=new Float32Array(m*g*f),S=new Float32Array(p*g*f);for(let R=0;R<f;R++){let L=R%3*2/3-1,N=R>2?0:-1,E=[L,N,0,L+2/3,N,0,L+2/3,N+1,0,L,N,0,L+2/3,N+1,0,L,N+1,0];T.set(E,x*g*R),b.set(u,m*g*R);let v=[R,R,R,R,R,R];S.set(v,p*g*R)}let P=new Ze;P.setAttribute("position",new en(T,x)),P.setAttribute("uv",new en(b,m)),P.setAttribute("faceIndex",new en(S,p)),t.push(P),s>ro&&s--}return{lodPlanes:t,sizeLods:e,sigmas:n}}function tm(i,t,e){let n=new Oi(i,t,e);return n.texture.mapping=xa,n.texture.name="PMREM.cubeUv",n.scissorTest=!0,n}function qc(i,t,e,n,s){i.viewport.set(t,e,n,s),i.scissor.set(t,e,n,s)}function xv(i,t,e){let n=new Float32Array(dr),s=new U(0,1,0);return new Qn({name:"SphericalGaussianBlur",defines:{n:dr,CUBEUV_TEXEL_WIDTH:1/t,CUBEUV_TEXEL_HEIGHT:1/e,CUBEUV_MAX_MIP:`${i}.0`},uniforms:{envMap:{value:null},samples:{value:1},weights:{value:n},latitudinal:{value:!1},dTheta:{value:0},mipInt:{value:0},poleAxis:{value:s}},vertexShader:cd(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;
			uniform int samples;
			uniform float weights[ n ];
			uniform bool latitudinal;
			uniform float dTheta;
			uniform float mipInt;
			uniform vec3 poleAxis;

			#define ENVMAP_TYPE_CUBE_UV
			#include <cube_uv_reflection_fragment>

			vec3 getSample( float theta, vec3 axis ) {

				float cosTheta = cos( theta );
				// Rodrigues' axis-angle rotation
				vec3 sampleDirection = vOutputDirection * cosTheta
					+ cross( axis, vOutputDirection ) * sin( theta )
					+ axis * dot( axis, vOutputDirection ) * ( 1.0 - cosTheta );

				return bilinearCubeUV( envMap, sampleDirection, mipInt );

			}

			void main() {

				vec3 axis = latitudinal ? poleAxis : cross( poleAxis, vOutputDirection );

				if ( all( equal( axis, vec3( 0.0 ) ) ) ) {

					axis = vec3( vOutputDirection.z, 0.0, - vOutputDirection.x );

				}

				axis = normalize( axis );

				gl_FragColor = vec4( 0.0, 0.0, 0.0, 1.0 );
				gl_FragColor.rgb += weights[ 0 ] * getSample( 0.0, axis );

				for ( int i = 1; i < n; i++ ) {

					if ( i >= samples ) {

						break;

					}

					float theta = dTheta * float( i );
					gl_FragColor.rgb += weights[ i ] * getSample( -1.0 * theta, axis );
					gl_FragColor.rgb += weights[ i ] * getSample( theta, axis );

				}

			}
		`,blending:rs,depthTest:!1,depthWrite:!1})}function em(){return new Qn({name:"EquirectangularToCubeUV",uniforms:{envMap:{value:null}},vertexShader:cd(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			varying vec3 vOutputDirection;

			uniform sampler2D envMap;

			#include <common>

			void main() {

				vec3 outputDirection = normalize( vOutputDirection );
				vec2 uv = equirectUv( outputDirection );

				gl_FragColor = vec4( texture2D ( envMap, uv ).rgb, 1.0 );

			}
		`,blending:rs,depthTest:!1,depthWrite:!1})}function nm(){return new Qn({name:"CubemapToCubeUV",uniforms:{envMap:{value:null},flipEnvMap:{value:-1}},vertexShader:cd(),fragmentShader:`

			precision mediump float;
			precision mediump int;

			uniform float flipEnvMap;

			varying vec3 vOutputDirection;

			uniform samplerCube envMap;

			void main() {

				gl_FragColor = textureCube( envMap, vec3( flipEnvMap * vOutputDirection.x, vOutputDirection.yz ) );

			}
		`,blending:rs,depthTest:!1,depthWrite:!1})}function cd(){return`

		precision mediump float;
		precision mediump int;

		attribute float faceIndex;

		varying vec3 vOutputDirection;

		// RH coordinate system; PMREM face-indexing convention
		vec3 getDirection( vec2 uv, float face ) {

			uv = 2.0 * uv - 1.0;

			vec3 direction = vec3( uv, 1.0 );

			if ( face == 0.0 ) {

				direction = direction.zyx; // ( 1, v, u ) pos x

			} else if ( face == 1.0 ) {

				direction = direction.xzy;
				direction.xz *= -1.0; // ( -u, 1, -v ) pos y

			} else if ( face == 2.0 ) {

				direction.x *= -1.0; // ( -u, v, 1 ) pos z

			} else if ( face == 3.0 ) {

				direction = direction.zyx;
				direction.xz *= -1.0; // ( -1, v, -u ) neg x

			} else if ( face == 4.0 ) {

				direction = direction.xzy;
				direction.xy *= -1.0; // ( -u, -1, v ) neg y

			} else if ( face == 5.0 ) {

				direction.z *= -1.0; // ( u, v, -1 ) neg z

			}

			return direction;

		}

		void main() {

			vOutputDirection = getDirection( uv, faceIndex );
			gl_Position = vec4( position, 1.0 );

		}
	`}function yv(i){let t=new WeakMap,e=null;function n(a){if(a&&a.isTexture){let l=a.mapping,c=l===ac||l===lc,h=l===sr||l===rr;if(c||h){let d=t.get(a),u=d!==void 0?d.texture.pmremVersion:0;if(a.isRenderTargetTexture&&a.pmremVersion!==u)return e===null&&(e=new $c(i)),d=c?e.fromEquirectangular(a,d):e.fromCubemap(a,d),d.texture.pmremVersion=a.pmremVersion,t.set(a,d),d.texture;if(d!==void 0)return d.texture;{let f=a.image;return c&&f&&f.height>0||h&&f&&s(f)?(e===null&&(e=new $c(i)),d=c?e.fromEquirectangular(a):e.fromCubemap(a),d.texture.pmremVersion=a.pmremVersion,t.set(a,d),a.addEventListener("dispose",r),d.texture):null}}}return a}function s(a){let l=0,c=6;for(let h=0;h<c;h++)a[h]!==void 0&&l++;return l===c}function r(a){let l=a.target;l.removeEventListener("dispose",r);let c=t.get(l);c!==void 0&&(t.delete(l),c.dispose())}function o(){t=new WeakMap,e!==null&&(e.dispose(),e=null)}return{get:n,dispose:o}}function vv(i){let t={};function e(n){if(t[n]!==void 0)return t[n];let s;switch(n){case"WEBGL_depth_texture":s=i.getExtension("WEBGL_depth_texture")||i.getExtension("MOZ_WEBGL_depth_texture")||i.getExtension("WEBKIT_WEBGL_depth_texture");break;case"EXT_texture_filter_anisotropic":s=i.getExtension("EXT_texture_filter_anisotropic")||i.getExtension("MOZ_EXT_texture_filter_anisotropic")||i.getExtension("WEBKIT_EXT_texture_filter_anisotropic");break;case"WEBGL_compressed_texture_s3tc":s=i.getExtension("WEBGL_compressed_texture_s3tc")||i.getExtension("MOZ_WEBGL_compressed_texture_s3tc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_s3tc");break;case"WEBGL_compressed_texture_pvrtc":s=i.getExtension("WEBGL_compressed_texture_pvrtc")||i.getExtension("WEBKIT_WEBGL_compressed_texture_pvrtc");break;default:s=i.getExtension(n)}return t[n]=s,s}return{has:function(n){return e(n)!==null},init:function(){e("EXT_color_buffer_float"),e("WEBGL_clip_cull_distance"),e("OES_texture_float_linear"),e("EXT_color_buffer_half_float"),e("WEBGL_multisampled_render_to_texture"),e("WEBGL_render_shared_exponent")},get:function(n){let s=e(n);return s===null&&ar("THREE.WebGLRenderer: "+n+" extension not supported."),s}}}function Mv(i,t,e,n){let s={},r=new WeakMap;function o(d){let u=d.target;u.index!==null&&t.remove(u.index);for(let g in u.attributes)t.remove(u.attributes[g]);u.removeEventListener("dispose",o),delete s[u.id];let f=r.get(u);f&&(t.remove(f),r.delete(u)),n.releaseStatesOfGeometry(u),u.isInstancedBufferGeometry===!0&&delete u._maxInstanceCount,e.memory.geometries--}function a(d,u){return s[u.id]===!0||(u.addEventListener("dispose",o),s[u.id]=!0,e.memory.geometries++),u}function l(d){let u=d.attributes;for(let f in u)t.update(u[f],i.ARRAY_BUFFER)}function c(d){let u=[],f=d.index,g=d.attributes.position,x=0;if(f!==null){let T=f.array;x=f.version;for(let b=0,S=T.length;b<S;b+=3){let P=T[b+0],R=T[b+1],L=T[b+2];u.push(P,R,R,L,L,P)}}else if(g!==void 0){let T=g.array;x=g.version;for(let b=0,S=T.length/3-1;b<S;b+=3){let P=b+0,R=b+1,L=b+2;u.push(P,R,R,L,L,P)}}else return;let m=new(Gu(u)?Zo:$o)(u,1);m.version=x;let p=r.get(d);p&&t.remove(p),r.set(d,m)}function h(d){let u=r.get(d);if(u){let f=d.index;f!==null&&u.version<f.version&&c(d)}else c(d);return r.get(d)}return{get:a,update:l,getWireframeAttribute:h}}function Sv(i,t,e){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,f){i.drawElements(n,f,r,u*o),e.update(f,n,1)}function c(u,f,g){g!==0&&(i.drawElementsInstanced(n,f,r,u*o,g),e.update(f,n,g))}function h(u,f,g){if(g===0)return;t.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,f,0,r,u,0,g);let m=0;for(let p=0;p<g;p++)m+=f[p];e.update(m,n,1)}function d(u,f,g,x){if(g===0)return;let m=t.get("WEBGL_multi_draw");if(m===null)for(let p=0;p<u.length;p++)c(u[p]/o,f[p],x[p]);else{m.multiDrawElementsInstancedWEBGL(n,f,0,r,u,0,x,0,g);let p=0;for(let T=0;T<g;T++)p+=f[T]*x[T];e.update(p,n,1)}}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h,this.renderMultiDrawInstances=d}function bv(i){let t={geometries:0,textures:0},e={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(e.calls++,o){case i.TRIANGLES:e.triangles+=a*(r/3);break;case i.LINES:e.lines+=a*(r/2);break;case i.LINE_STRIP:e.lines+=a*(r-1);break;case i.LINE_LOOP:e.lines+=a*r;break;case i.POINTS:e.points+=a*r;break;default:console.error("THREE.WebGLInfo: Unknown draw mode:",o);break}}function s(){e.calls=0,e.triangles=0,e.points=0,e.lines=0}return{memory:t,render:e,programs:null,autoReset:!0,reset:s,update:n}}function wv(i,t,e){let n=new WeakMap,s=new Ve;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,d=h!==void 0?h.length:0,u=n.get(a);if(u===void 0||u.count!==d){let E=function(){L.dispose(),n.delete(a),a.removeEventListener("dispose",E)};u!==void 0&&u.texture.dispose();let f=a.morphAttributes.position!==void 0,g=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,m=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],T=a.morphAttributes.color||[],b=0;f===!0&&(b=1),g===!0&&(b=2),x===!0&&(b=3);let S=a.attributes.position.count*b,P=1;S>t.maxTextureSize&&(P=Math.ceil(S/t.maxTextureSize),S=t.maxTextureSize);let R=new Float32Array(S*P*4*d),L=new Yo(R,S,P,d);L.type=Ei,L.needsUpdate=!0;let N=b*4;for(let v=0;v<d;v++){let A=m[v],V=p[v],z=T[v],W=S*P*4*v;for(let Z=0;Z<A.count;Z++){let Y=Z*N;f===!0&&(s.fromBufferAttribute(A,Z),R[W+Y+0]=s.x,R[W+Y+1]=s.y,R[W+Y+2]=s.z,R[W+Y+3]=0),g===!0&&(s.fromBufferAttribute(V,Z),R[W+Y+4]=s.x,R[W+Y+5]=s.y,R[W+Y+6]=s.z,R[W+Y+7]=0),x===!0&&(s.fromBufferAttribute(z,Z),R[W+Y+8]=s.x,R[W+Y+9]=s.y,R[W+Y+10]=s.z,R[W+Y+11]=z.itemSize===4?s.w:1)}}u={count:d,texture:L,size:new It(S,P)},n.set(a,u),a.addEventListener("dispose",E)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,e);else{let f=0;for(let x=0;x<c.length;x++)f+=c[x];let g=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(i,"morphTargetBaseInfluence",g),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",u.texture,e),l.getUniforms().setValue(i,"morphTargetsTextureSize",u.size)}return{update:r}}function Ev(i,t,e,n){let s=new WeakMap;function r(l){let c=n.render.frame,h=l.geometry,d=t.get(l,h);if(s.get(d)!==c&&(t.update(d),s.set(d,c)),l.isInstancedMesh&&(l.hasEventListener("dispose",a)===!1&&l.addEventListener("dispose",a),s.get(l)!==c&&(e.update(l.instanceMatrix,i.ARRAY_BUFFER),l.instanceColor!==null&&e.update(l.instanceColor,i.ARRAY_BUFFER),s.set(l,c))),l.isSkinnedMesh){let u=l.skeleton;s.get(u)!==c&&(u.update(),s.set(u,c))}return d}function o(){s=new WeakMap}function a(l){let c=l.target;c.removeEventListener("dispose",a),e.remove(c.instanceMatrix),c.instanceColor!==null&&e.remove(c.instanceColor)}return{update:r,dispose:o}}var Mm=new Vn,im=new ia(1,1),Sm=new Yo,bm=new bl,wm=new Ko,sm=[],rm=[],om=new Float32Array(16),am=new Float32Array(9),lm=new Float32Array(4);function ao(i,t,e){let n=i[0];if(n<=0||n>0)return i;let s=t*e,r=sm[s];if(r===void 0&&(r=new Float32Array(s),sm[s]=r),t!==0){n.toArray(r,0);for(let o=1,a=0;o!==t;++o)a+=e,i[o].toArray(r,a)}return r}function ln(i,t){if(i.length!==t.length)return!1;for(let e=0,n=i.length;e<n;e++)if(i[e]!==t[e])return!1;return!0}function cn(i,t){for(let e=0,n=t.length;e<n;e++)i[e]=t[e]}function Jc(i,t){let e=rm[t];e===void 0&&(e=new Int32Array(t),rm[t]=e);for(let n=0;n!==t;++n)e[n]=i.allocateTextureUnit();return e}function Tv(i,t){let e=this.cache;e[0]!==t&&(i.uniform1f(this.addr,t),e[0]=t)}function Av(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2f(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(ln(e,t))return;i.uniform2fv(this.addr,t),cn(e,t)}}function Rv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3f(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else if(t.r!==void 0)(e[0]!==t.r||e[1]!==t.g||e[2]!==t.b)&&(i.uniform3f(this.addr,t.r,t.g,t.b),e[0]=t.r,e[1]=t.g,e[2]=t.b);else{if(ln(e,t))return;i.uniform3fv(this.addr,t),cn(e,t)}}function Cv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4f(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(ln(e,t))return;i.uniform4fv(this.addr,t),cn(e,t)}}function Pv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(ln(e,t))return;i.uniformMatrix2fv(this.addr,!1,t),cn(e,t)}else{if(ln(e,n))return;lm.set(n),i.uniformMatrix2fv(this.addr,!1,lm),cn(e,n)}}function Iv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(ln(e,t))return;i.uniformMatrix3fv(this.addr,!1,t),cn(e,t)}else{if(ln(e,n))return;am.set(n),i.uniformMatrix3fv(this.addr,!1,am),cn(e,n)}}function Lv(i,t){let e=this.cache,n=t.elements;if(n===void 0){if(ln(e,t))return;i.uniformMatrix4fv(this.addr,!1,t),cn(e,t)}else{if(ln(e,n))return;om.set(n),i.uniformMatrix4fv(this.addr,!1,om),cn(e,n)}}function Dv(i,t){let e=this.cache;e[0]!==t&&(i.uniform1i(this.addr,t),e[0]=t)}function Uv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2i(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(ln(e,t))return;i.uniform2iv(this.addr,t),cn(e,t)}}function Nv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3i(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(ln(e,t))return;i.uniform3iv(this.addr,t),cn(e,t)}}function Fv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4i(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(ln(e,t))return;i.uniform4iv(this.addr,t),cn(e,t)}}function Ov(i,t){let e=this.cache;e[0]!==t&&(i.uniform1ui(this.addr,t),e[0]=t)}function Bv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y)&&(i.uniform2ui(this.addr,t.x,t.y),e[0]=t.x,e[1]=t.y);else{if(ln(e,t))return;i.uniform2uiv(this.addr,t),cn(e,t)}}function kv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z)&&(i.uniform3ui(this.addr,t.x,t.y,t.z),e[0]=t.x,e[1]=t.y,e[2]=t.z);else{if(ln(e,t))return;i.uniform3uiv(this.addr,t),cn(e,t)}}function zv(i,t){let e=this.cache;if(t.x!==void 0)(e[0]!==t.x||e[1]!==t.y||e[2]!==t.z||e[3]!==t.w)&&(i.uniform4ui(this.addr,t.x,t.y,t.z,t.w),e[0]=t.x,e[1]=t.y,e[2]=t.z,e[3]=t.w);else{if(ln(e,t))return;i.uniform4uiv(this.addr,t),cn(e,t)}}function Hv(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?(im.compareFunction=ku,r=im):r=Mm,e.setTexture2D(t||r,s)}function Vv(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture3D(t||bm,s)}function Gv(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTextureCube(t||wm,s)}function Wv(i,t,e){let n=this.cache,s=e.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),e.setTexture2DArray(t||Sm,s)}function Xv(i){switch(i){case 5126:return Tv;case 35664:return Av;case 35665:return Rv;case 35666:return Cv;case 35674:return Pv;case 35675:return Iv;case 35676:return Lv;case 5124:case 35670:return Dv;case 35667:case 35671:return Uv;case 35668:case 35672:return Nv;case 35669:case 35673:return Fv;case 5125:return Ov;case 36294:return Bv;case 36295:return kv;case 36296:return zv;case 35678:case 36198:case 36298:case 36306:case 35682:return Hv;case 35679:case 36299:case 36307:return Vv;case 35680:case 36300:case 36308:case 36293:return Gv;case 36289:case 36303:case 36311:case 36292:return Wv}}function qv(i,t){i.uniform1fv(this.addr,t)}function Yv(i,t){let e=ao(t,this.size,2);i.uniform2fv(this.addr,e)}function $v(i,t){let e=ao(t,this.size,3);i.uniform3fv(this.addr,e)}function Zv(i,t){let e=ao(t,this.size,4);i.uniform4fv(this.addr,e)}function Jv(i,t){let e=ao(t,this.size,4);i.uniformMatrix2fv(this.addr,!1,e)}function Kv(i,t){let e=ao(t,this.size,9);i.uniformMatrix3fv(this.addr,!1,e)}function jv(i,t){let e=ao(t,this.size,16);i.uniformMatrix4fv(this.addr,!1,e)}function Qv(i,t){i.uniform1iv(this.addr,t)}function tM(i,t){i.uniform2iv(this.addr,t)}function eM(i,t){i.uniform3iv(this.addr,t)}function nM(i,t){i.uniform4iv(this.addr,t)}function iM(i,t){i.uniform1uiv(this.addr,t)}function sM(i,t){i.uniform2uiv(this.addr,t)}function rM(i,t){i.uniform3uiv(this.addr,t)}function oM(i,t){i.uniform4uiv(this.addr,t)}function aM(i,t,e){let n=this.cache,s=t.length,r=Jc(e,s);ln(n,r)||(i.uniform1iv(this.addr,r),cn(n,r));for(let o=0;o!==s;++o)e.setTexture2D(t[o]||Mm,r[o])}function lM(i,t,e){let n=this.cache,s=t.length,r=Jc(e,s);ln(n,r)||(i.uniform1iv(this.addr,r),cn(n,r));for(let o=0;o!==s;++o)e.setTexture3D(t[o]||bm,r[o])}function cM(i,t,e){let n=this.cache,s=t.length,r=Jc(e,s);ln(n,r)||(i.uniform1iv(this.addr,r),cn(n,r));for(let o=0;o!==s;++o)e.setTextureCube(t[o]||wm,r[o])}function hM(i,t,e){let n=this.cache,s=t.length,r=Jc(e,s);ln(n,r)||(i.uniform1iv(this.addr,r),cn(n,r));for(let o=0;o!==s;++o)e.setTexture2DArray(t[o]||Sm,r[o])}function uM(i){switch(i){case 5126:return qv;case 35664:return Yv;case 35665:return $v;case 35666:return Zv;case 35674:return Jv;case 35675:return Kv;case 35676:return jv;case 5124:case 35670:return Qv;case 35667:case 35671:return tM;case 35668:case 35672:return eM;case 35669:case 35673:return nM;case 5125:return iM;case 36294:return sM;case 36295:return rM;case 36296:return oM;case 35678:case 36198:case 36298:case 36306:case 35682:return aM;case 35679:case 36299:case 36307:return lM;case 35680:case 36300:case 36308:case 36293:return cM;case 36289:case 36303:case 36311:case 36292:return hM}}var ed=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.setValue=Xv(e.type)}},nd=class{constructor(t,e,n){this.id=t,this.addr=n,this.cache=[],this.type=e.type,this.size=e.size,this.setValue=uM(e.type)}},id=class{constructor(t){this.id=t,this.seq=[],this.map={}}setValue(t,e,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(t,e[a.id],n)}}},td=/(\w+)(\])?(\[|\.)?/g;function cm(i,t){i.seq.push(t),i.map[t.id]=t}function dM(i,t,e){let n=i.name,s=n.length;for(td.lastIndex=0;;){let r=td.exec(n),o=td.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){cm(e,c===void 0?new ed(a,i,t):new nd(a,i,t));break}else{let d=e.map[a];d===void 0&&(d=new id(a),cm(e,d)),e=d}}}var oo=class{constructor(t,e){this.seq=[],this.map={};let n=t.getProgramParameter(e,t.ACTIVE_UNIFORMS);for(let s=0;s<n;++s){let r=t.getActiveUniform(e,s),o=t.getUniformLocation(e,r.name);dM(r,o,this)}}setValue(t,e,n,s){let r=this.map[e];r!==void 0&&r.setValue(t,n,s)}setOptional(t,e,n){let s=e[n];s!==void 0&&this.setValue(t,n,s)}static upload(t,e,n,s){for(let r=0,o=e.length;r!==o;++r){let a=e[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(t,l.value,s)}}static seqWithValue(t,e){let n=[];for(let s=0,r=t.length;s!==r;++s){let o=t[s];o.id in e&&n.push(o)}return n}};function hm(i,t,e){let n=i.createShader(t);return i.shaderSource(n,e),i.compileShader(n),n}var fM=37297,pM=0;function mM(i,t){let e=i.split(`
`),n=[],s=Math.max(t-6,0),r=Math.min(t+6,e.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===t?">":" "} ${a}: ${e[o]}`)}return n.join(`
`)}var um=new ee;function gM(i){ge._getMatrix(um,ge.workingColorSpace,i);let t=`mat3( ${um.elements.map(e=>e.toFixed(4))} )`;switch(ge.getTransfer(i)){case Go:return[t,"LinearTransferOETF"];case we:return[t,"sRGBTransferOETF"];default:return console.warn("THREE.WebGLProgram: Unsupported color space: ",i),[t,"LinearTransferOETF"]}}function dm(i,t,e){let n=i.getShaderParameter(t,i.COMPILE_STATUS),s=i.getShaderInfoLog(t).trim();if(n&&s==="")return"";let r=/ERROR: 0:(\d+)/.exec(s);if(r){let o=parseInt(r[1]);return e.toUpperCase()+`

`+s+`

`+mM(i.getShaderSource(t),o)}else return s}function _M(i,t){let e=gM(t);return[`vec4 ${i}( vec4 value ) {`,`	return ${e[1]}( vec4( value.rgb * ${e[0]}, value.a ) );`,"}"].join(`
`)}function xM(i,t){let e;switch(t){case Tp:e="Linear";break;case Ap:e="Reinhard";break;case Rp:e="Cineon";break;case Cp:e="ACESFilmic";break;case Ip:e="AgX";break;case Lp:e="Neutral";break;case Pp:e="Custom";break;default:console.warn("THREE.WebGLProgram: Unsupported toneMapping:",t),e="Linear"}return"vec3 "+i+"( vec3 color ) { return "+e+"ToneMapping( color ); }"}var Yc=new U;function yM(){ge.getLuminanceCoefficients(Yc);let i=Yc.x.toFixed(4),t=Yc.y.toFixed(4),e=Yc.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${t}, ${e} );`,"	return dot( weights, rgb );","}"].join(`
`)}function vM(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Ea).join(`
`)}function MM(i){let t=[];for(let e in i){let n=i[e];n!==!1&&t.push("#define "+e+" "+n)}return t.join(`
`)}function SM(i,t){let e={},n=i.getProgramParameter(t,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(t,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),e[o]={type:r.type,location:i.getAttribLocation(t,o),locationSize:a}}return e}function Ea(i){return i!==""}function fm(i,t){let e=t.numSpotLightShadows+t.numSpotLightMaps-t.numSpotLightShadowsWithMaps;return i.replace(/NUM_DIR_LIGHTS/g,t.numDirLights).replace(/NUM_SPOT_LIGHTS/g,t.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,t.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,e).replace(/NUM_RECT_AREA_LIGHTS/g,t.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,t.numPointLights).replace(/NUM_HEMI_LIGHTS/g,t.numHemiLights).replace(/NUM_DIR_LIGHT_SHADOWS/g,t.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,t.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,t.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,t.numPointLightShadows)}function pm(i,t){return i.replace(/NUM_CLIPPING_PLANES/g,t.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,t.numClippingPlanes-t.numClipIntersection)}var bM=/^[ \t]*#include +<([\w\d./]+)>/gm;function sd(i){return i.replace(bM,EM)}var wM=new Map;function EM(i,t){let e=re[t];if(e===void 0){let n=wM.get(t);if(n!==void 0)e=re[n],console.warn('THREE.WebGLRenderer: Shader chunk "%s" has been deprecated. Use "%s" instead.',t,n);else throw new Error("Can not resolve #include <"+t+">")}return sd(e)}var TM=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function mm(i){return i.replace(TM,AM)}function AM(i,t,e,n){let s="";for(let r=parseInt(t);r<parseInt(e);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function gm(i){let t=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?t+=`
#define HIGH_PRECISION`:i.precision==="mediump"?t+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(t+=`
#define LOW_PRECISION`),t}function RM(i){let t="SHADOWMAP_TYPE_BASIC";return i.shadowMapType===Eu?t="SHADOWMAP_TYPE_PCF":i.shadowMapType===jl?t="SHADOWMAP_TYPE_PCF_SOFT":i.shadowMapType===zi&&(t="SHADOWMAP_TYPE_VSM"),t}function CM(i){let t="ENVMAP_TYPE_CUBE";if(i.envMap)switch(i.envMapMode){case sr:case rr:t="ENVMAP_TYPE_CUBE";break;case xa:t="ENVMAP_TYPE_CUBE_UV";break}return t}function PM(i){let t="ENVMAP_MODE_REFLECTION";if(i.envMap)switch(i.envMapMode){case rr:t="ENVMAP_MODE_REFRACTION";break}return t}function IM(i){let t="ENVMAP_BLENDING_NONE";if(i.envMap)switch(i.combine){case oc:t="ENVMAP_BLENDING_MULTIPLY";break;case wp:t="ENVMAP_BLENDING_MIX";break;case Ep:t="ENVMAP_BLENDING_ADD";break}return t}function LM(i){let t=i.envMapCubeUVHeight;if(t===null)return null;let e=Math.log2(t)-2,n=1/t;return{texelWidth:1/(3*Math.max(Math.pow(2,e),7*16)),texelHeight:n,maxMip:e}}function DM(i,t,e,n){let s=i.getContext(),r=e.defines,o=e.vertexShader,a=e.fragmentShader,l=RM(e),c=CM(e),h=PM(e),d=IM(e),u=LM(e),f=vM(e),g=MM(r),x=s.createProgram(),m,p,T=e.glslVersion?"#version "+e.glslVersion+`
`:"";e.isRawShaderMaterial?(m=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g].filter(Ea).join(`
`),m.length>0&&(m+=`
`),p=["#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g].filter(Ea).join(`
`),p.length>0&&(p+=`
`)):(m=[gm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g,e.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",e.batching?"#define USE_BATCHING":"",e.batchingColor?"#define USE_BATCHING_COLOR":"",e.instancing?"#define USE_INSTANCING":"",e.instancingColor?"#define USE_INSTANCING_COLOR":"",e.instancingMorph?"#define USE_INSTANCING_MORPH":"",e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.map?"#define USE_MAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+h:"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.displacementMap?"#define USE_DISPLACEMENTMAP":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.mapUv?"#define MAP_UV "+e.mapUv:"",e.alphaMapUv?"#define ALPHAMAP_UV "+e.alphaMapUv:"",e.lightMapUv?"#define LIGHTMAP_UV "+e.lightMapUv:"",e.aoMapUv?"#define AOMAP_UV "+e.aoMapUv:"",e.emissiveMapUv?"#define EMISSIVEMAP_UV "+e.emissiveMapUv:"",e.bumpMapUv?"#define BUMPMAP_UV "+e.bumpMapUv:"",e.normalMapUv?"#define NORMALMAP_UV "+e.normalMapUv:"",e.displacementMapUv?"#define DISPLACEMENTMAP_UV "+e.displacementMapUv:"",e.metalnessMapUv?"#define METALNESSMAP_UV "+e.metalnessMapUv:"",e.roughnessMapUv?"#define ROUGHNESSMAP_UV "+e.roughnessMapUv:"",e.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+e.anisotropyMapUv:"",e.clearcoatMapUv?"#define CLEARCOATMAP_UV "+e.clearcoatMapUv:"",e.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+e.clearcoatNormalMapUv:"",e.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+e.clearcoatRoughnessMapUv:"",e.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+e.iridescenceMapUv:"",e.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+e.iridescenceThicknessMapUv:"",e.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+e.sheenColorMapUv:"",e.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+e.sheenRoughnessMapUv:"",e.specularMapUv?"#define SPECULARMAP_UV "+e.specularMapUv:"",e.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+e.specularColorMapUv:"",e.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+e.specularIntensityMapUv:"",e.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+e.transmissionMapUv:"",e.thicknessMapUv?"#define THICKNESSMAP_UV "+e.thicknessMapUv:"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.flatShading?"#define FLAT_SHADED":"",e.skinning?"#define USE_SKINNING":"",e.morphTargets?"#define USE_MORPHTARGETS":"",e.morphNormals&&e.flatShading===!1?"#define USE_MORPHNORMALS":"",e.morphColors?"#define USE_MORPHCOLORS":"",e.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+e.morphTextureStride:"",e.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+e.morphTargetsCount:"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.sizeAttenuation?"#define USE_SIZEATTENUATION":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.logarithmicDepthBuffer?"#define USE_LOGDEPTHBUF":"",e.reverseDepthBuffer?"#define USE_REVERSEDEPTHBUF":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Ea).join(`
`),p=[gm(e),"#define SHADER_TYPE "+e.shaderType,"#define SHADER_NAME "+e.shaderName,g,e.useFog&&e.fog?"#define USE_FOG":"",e.useFog&&e.fogExp2?"#define FOG_EXP2":"",e.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",e.map?"#define USE_MAP":"",e.matcap?"#define USE_MATCAP":"",e.envMap?"#define USE_ENVMAP":"",e.envMap?"#define "+c:"",e.envMap?"#define "+h:"",e.envMap?"#define "+d:"",u?"#define CUBEUV_TEXEL_WIDTH "+u.texelWidth:"",u?"#define CUBEUV_TEXEL_HEIGHT "+u.texelHeight:"",u?"#define CUBEUV_MAX_MIP "+u.maxMip+".0":"",e.lightMap?"#define USE_LIGHTMAP":"",e.aoMap?"#define USE_AOMAP":"",e.bumpMap?"#define USE_BUMPMAP":"",e.normalMap?"#define USE_NORMALMAP":"",e.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",e.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",e.emissiveMap?"#define USE_EMISSIVEMAP":"",e.anisotropy?"#define USE_ANISOTROPY":"",e.anisotropyMap?"#define USE_ANISOTROPYMAP":"",e.clearcoat?"#define USE_CLEARCOAT":"",e.clearcoatMap?"#define USE_CLEARCOATMAP":"",e.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",e.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",e.dispersion?"#define USE_DISPERSION":"",e.iridescence?"#define USE_IRIDESCENCE":"",e.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",e.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",e.specularMap?"#define USE_SPECULARMAP":"",e.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",e.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",e.roughnessMap?"#define USE_ROUGHNESSMAP":"",e.metalnessMap?"#define USE_METALNESSMAP":"",e.alphaMap?"#define USE_ALPHAMAP":"",e.alphaTest?"#define USE_ALPHATEST":"",e.alphaHash?"#define USE_ALPHAHASH":"",e.sheen?"#define USE_SHEEN":"",e.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",e.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",e.transmission?"#define USE_TRANSMISSION":"",e.transmissionMap?"#define USE_TRANSMISSIONMAP":"",e.thicknessMap?"#define USE_THICKNESSMAP":"",e.vertexTangents&&e.flatShading===!1?"#define USE_TANGENT":"",e.vertexColors||e.instancingColor||e.batchingColor?"#define USE_COLOR":"",e.vertexAlphas?"#define USE_COLOR_ALPHA":"",e.vertexUv1s?"#define USE_UV1":"",e.vertexUv2s?"#define USE_UV2":"",e.vertexUv3s?"#define USE_UV3":"",e.pointsUvs?"#define USE_POINTS_UV":"",e.gradientMap?"#define USE_GRADIENTMAP":"",e.flatShading?"#define FLAT_SHADED":"",e.doubleSided?"#define DOUBLE_SIDED":"",e.flipSided?"#define FLIP_SIDED":"",e.shadowMapEnabled?"#define USE_SHADOWMAP":"",e.shadowMapEnabled?"#define "+l:"",e.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",e.numLightProbes>0?"#define USE_LIGHT_PROBES":"",e.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",e.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",e.logarithmicDepthBuffer?"#define USE_LOGDEPTHBUF":"",e.reverseDepthBuffer?"#define USE_REVERSEDEPTHBUF":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",e.toneMapping!==wi?"#define TONE_MAPPING":"",e.toneMapping!==wi?re.tonemapping_pars_fragment:"",e.toneMapping!==wi?xM("toneMapping",e.toneMapping):"",e.dithering?"#define DITHERING":"",e.opaque?"#define OPAQUE":"",re.colorspace_pars_fragment,_M("linearToOutputTexel",e.outputColorSpace),yM(),e.useDepthPacking?"#define DEPTH_PACKING "+e.depthPacking:"",`
`].filter(Ea).join(`
`)),o=sd(o),o=fm(o,e),o=pm(o,e),a=sd(a),a=fm(a,e),a=pm(a,e),o=mm(o),a=mm(a),e.isRawShaderMaterial!==!0&&(T=`#version 300 es
`,m=[f,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+m,p=["#define varying in",e.glslVersion===zu?"":"layout(location = 0) out highp vec4 pc_fragColor;",e.glslVersion===zu?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+p);let b=T+m+o,S=T+p+a,P=hm(s,s.VERTEX_SHADER,b),R=hm(s,s.FRAGMENT_SHADER,S);s.attachShader(x,P),s.attachShader(x,R),e.index0AttributeName!==void 0?s.bindAttribLocation(x,0,e.index0AttributeName):e.morphTargets===!0&&s.bindAttribLocation(x,0,"position"),s.linkProgram(x);function L(A){if(i.debug.checkShaderErrors){let V=s.getProgramInfoLog(x).trim(),z=s.getShaderInfoLog(P).trim(),W=s.getShaderInfoLog(R).trim(),Z=!0,Y=!0;if(s.getProgramParameter(x,s.LINK_STATUS)===!1)if(Z=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,x,P,R);else{let et=dm(s,P,"vertex"),j=dm(s,R,"fragment");console.error("THREE.WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(x,s.VALIDATE_STATUS)+`

Material Name: `+A.name+`
Material Type: `+A.type+`

Program Info Log: `+V+`
`+et+`
`+j)}else V!==""?console.warn("THREE.WebGLProgram: Program Info Log:",V):(z===""||W==="")&&(Y=!1);Y&&(A.diagnostics={runnable:Z,programLog:V,vertexShader:{log:z,prefix:m},fragmentShader:{log:W,prefix:p}})}s.deleteShader(P),s.deleteShader(R),N=new oo(s,x),E=SM(s,x)}let N;this.getUniforms=function(){return N===void 0&&L(this),N};let E;this.getAttributes=function(){return E===void 0&&L(this),E};let v=e.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return v===!1&&(v=s.getProgramParameter(x,fM)),v},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(x),this.program=void 0},this.type=e.shaderType,this.name=e.shaderName,this.id=pM++,this.cacheKey=t,this.usedTimes=1,this.program=x,this.vertexShader=P,this.fragmentShader=R,this}var UM=0,rd=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(t){let e=t.vertexShader,n=t.fragmentShader,s=this._getShaderStage(e),r=this._getShaderStage(n),o=this._getShaderCacheForMaterial(t);return o.has(s)===!1&&(o.add(s),s.usedTimes++),o.has(r)===!1&&(o.add(r),r.usedTimes++),this}remove(t){let e=this.materialCache.get(t);for(let n of e)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(t),this}getVertexShaderID(t){return this._getShaderStage(t.vertexShader).id}getFragmentShaderID(t){return this._getShaderStage(t.fragmentShader).id}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(t){let e=this.materialCache,n=e.get(t);return n===void 0&&(n=new Set,e.set(t,n)),n}_getShaderStage(t){let e=this.shaderCache,n=e.get(t);return n===void 0&&(n=new od(t),e.set(t,n)),n}},od=class{constructor(t){this.id=UM++,this.code=t,this.usedTimes=0}};function NM(i,t,e,n,s,r,o){let a=new Jr,l=new rd,c=new Set,h=[],d=s.logarithmicDepthBuffer,u=s.vertexTextures,f=s.precision,g={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distanceRGBA",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function x(E){return c.add(E),E===0?"uv":`uv${E}`}function m(E,v,A,V,z){let W=V.fog,Z=z.geometry,Y=E.isMeshStandardMaterial?V.environment:null,et=(E.isMeshStandardMaterial?e:t).get(E.envMap||Y),j=et&&et.mapping===xa?et.image.height:null,ut=g[E.type];E.precision!==null&&(f=s.getMaxPrecision(E.precision),f!==E.precision&&console.warn("THREE.WebGLProgram.getParameters:",E.precision,"not supported, using",f,"instead."));let ot=Z.morphAttributes.position||Z.morphAttributes.normal||Z.morphAttributes.color,mt=ot!==void 0?ot.length:0,ft=0;Z.morphAttributes.position!==void 0&&(ft=1),Z.morphAttributes.normal!==void 0&&(ft=2),Z.morphAttributes.color!==void 0&&(ft=3);let Wt,J,ct,Nt;if(ut){let ae=Vi[ut];Wt=ae.vertexShader,J=ae.fragmentShader}else Wt=E.vertexShader,J=E.fragmentShader,l.update(E),ct=l.getVertexShaderID(E),Nt=l.getFragmentShaderID(E);let dt=i.getRenderTarget(),Ft=i.state.buffers.depth.getReversed(),Vt=z.isInstancedMesh===!0,kt=z.isBatchedMesh===!0,oe=!!E.map,te=!!E.matcap,Ee=!!et,F=!!E.aoMap,sn=!!E.lightMap,ie=!!E.bumpMap,Kt=!!E.normalMap,Rt=!!E.displacementMap,Se=!!E.emissiveMap,Ut=!!E.metalnessMap,C=!!E.roughnessMap,y=E.anisotropy>0,k=E.clearcoat>0,nt=E.dispersion>0,K=E.iridescence>0,tt=E.sheen>0,Lt=E.transmission>0,gt=y&&!!E.anisotropyMap,Mt=k&&!!E.clearcoatMap,Yt=k&&!!E.clearcoatNormalMap,at=k&&!!E.clearcoatRoughnessMap,_t=K&&!!E.iridescenceMap,Ot=K&&!!E.iridescenceThicknessMap,zt=tt&&!!E.sheenColorMap,St=tt&&!!E.sheenRoughnessMap,ne=!!E.specularMap,$t=!!E.specularColorMap,ye=!!E.specularIntensityMap,O=Lt&&!!E.transmissionMap,yt=Lt&&!!E.thicknessMap,Q=!!E.gradientMap,rt=!!E.alphaMap,Et=E.alphaTest>0,bt=!!E.alphaHash,jt=!!E.extensions,ke=wi;E.toneMapped&&(dt===null||dt.isXRRenderTarget===!0)&&(ke=i.toneMapping);let Ct={shaderID:ut,shaderType:E.type,shaderName:E.name,vertexShader:Wt,fragmentShader:J,defines:E.defines,customVertexShaderID:ct,customFragmentShaderID:Nt,isRawShaderMaterial:E.isRawShaderMaterial===!0,glslVersion:E.glslVersion,precision:f,batching:kt,batchingColor:kt&&z._colorsTexture!==null,instancing:Vt,instancingColor:Vt&&z.instanceColor!==null,instancingMorph:Vt&&z.morphTexture!==null,supportsVertexTextures:u,outputColorSpace:dt===null?i.outputColorSpace:dt.isXRRenderTarget===!0?dt.texture.colorSpace:tr,alphaToCoverage:!!E.alphaToCoverage,map:oe,matcap:te,envMap:Ee,envMapMode:Ee&&et.mapping,envMapCubeUVHeight:j,aoMap:F,lightMap:sn,bumpMap:ie,normalMap:Kt,displacementMap:u&&Rt,emissiveMap:Se,normalMapObjectSpace:Kt&&E.normalMapType===Fp,normalMapTangentSpace:Kt&&E.normalMapType===Gc,metalnessMap:Ut,roughnessMap:C,anisotropy:y,anisotropyMap:gt,clearcoat:k,clearcoatMap:Mt,clearcoatNormalMap:Yt,clearcoatRoughnessMap:at,dispersion:nt,iridescence:K,iridescenceMap:_t,iridescenceThicknessMap:Ot,sheen:tt,sheenColorMap:zt,sheenRoughnessMap:St,specularMap:ne,specularColorMap:$t,specularIntensityMap:ye,transmission:Lt,transmissionMap:O,thicknessMap:yt,gradientMap:Q,opaque:E.transparent===!1&&E.blending===Ks&&E.alphaToCoverage===!1,alphaMap:rt,alphaTest:Et,alphaHash:bt,combine:E.combine,mapUv:oe&&x(E.map.channel),aoMapUv:F&&x(E.aoMap.channel),lightMapUv:sn&&x(E.lightMap.channel),bumpMapUv:ie&&x(E.bumpMap.channel),normalMapUv:Kt&&x(E.normalMap.channel),displacementMapUv:Rt&&x(E.displacementMap.channel),emissiveMapUv:Se&&x(E.emissiveMap.channel),metalnessMapUv:Ut&&x(E.metalnessMap.channel),roughnessMapUv:C&&x(E.roughnessMap.channel),anisotropyMapUv:gt&&x(E.anisotropyMap.channel),clearcoatMapUv:Mt&&x(E.clearcoatMap.channel),clearcoatNormalMapUv:Yt&&x(E.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:at&&x(E.clearcoatRoughnessMap.channel),iridescenceMapUv:_t&&x(E.iridescenceMap.channel),iridescenceThicknessMapUv:Ot&&x(E.iridescenceThicknessMap.channel),sheenColorMapUv:zt&&x(E.sheenColorMap.channel),sheenRoughnessMapUv:St&&x(E.sheenRoughnessMap.channel),specularMapUv:ne&&x(E.specularMap.channel),specularColorMapUv:$t&&x(E.specularColorMap.channel),specularIntensityMapUv:ye&&x(E.specularIntensityMap.channel),transmissionMapUv:O&&x(E.transmissionMap.channel),thicknessMapUv:yt&&x(E.thicknessMap.channel),alphaMapUv:rt&&x(E.alphaMap.channel),vertexTangents:!!Z.attributes.tangent&&(Kt||y),vertexColors:E.vertexColors,vertexAlphas:E.vertexColors===!0&&!!Z.attributes.color&&Z.attributes.color.itemSize===4,pointsUvs:z.isPoints===!0&&!!Z.attributes.uv&&(oe||rt),fog:!!W,useFog:E.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:E.flatShading===!0,sizeAttenuation:E.sizeAttenuation===!0,logarithmicDepthBuffer:d,reverseDepthBuffer:Ft,skinning:z.isSkinnedMesh===!0,morphTargets:Z.morphAttributes.position!==void 0,morphNormals:Z.morphAttributes.normal!==void 0,morphColors:Z.morphAttributes.color!==void 0,morphTargetsCount:mt,morphTextureStride:ft,numDirLights:v.directional.length,numPointLights:v.point.length,numSpotLights:v.spot.length,numSpotLightMaps:v.spotLightMap.length,numRectAreaLights:v.rectArea.length,numHemiLights:v.hemi.length,numDirLightShadows:v.directionalShadowMap.length,numPointLightShadows:v.pointShadowMap.length,numSpotLightShadows:v.spotShadowMap.length,numSpotLightShadowsWithMaps:v.numSpotLightShadowsWithMaps,numLightProbes:v.numLightProbes,numClippingPlanes:o.numPlanes,numClipIntersection:o.numIntersection,dithering:E.dithering,shadowMapEnabled:i.shadowMap.enabled&&A.length>0,shadowMapType:i.shadowMap.type,toneMapping:ke,decodeVideoTexture:oe&&E.map.isVideoTexture===!0&&ge.getTransfer(E.map.colorSpace)===we,decodeVideoTextureEmissive:Se&&E.emissiveMap.isVideoTexture===!0&&ge.getTransfer(E.emissiveMap.colorSpace)===we,premultipliedAlpha:E.premultipliedAlpha,doubleSided:E.side===bn,flipSided:E.side===Fn,useDepthPacking:E.depthPacking>=0,depthPacking:E.depthPacking||0,index0AttributeName:E.index0AttributeName,extensionClipCullDistance:jt&&E.extensions.clipCullDistance===!0&&n.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(jt&&E.extensions.multiDraw===!0||kt)&&n.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:n.has("KHR_parallel_shader_compile"),customProgramCacheKey:E.customProgramCacheKey()};return Ct.vertexUv1s=c.has(1),Ct.vertexUv2s=c.has(2),Ct.vertexUv3s=c.has(3),c.clear(),Ct}function p(E){let v=[];if(E.shaderID?v.push(E.shaderID):(v.push(E.customVertexShaderID),v.push(E.customFragmentShaderID)),E.defines!==void 0)for(let A in E.defines)v.push(A),v.push(E.defines[A]);return E.isRawShaderMaterial===!1&&(T(v,E),b(v,E),v.push(i.outputColorSpace)),v.push(E.customProgramCacheKey),v.join()}function T(E,v){E.push(v.precision),E.push(v.outputColorSpace),E.push(v.envMapMode),E.push(v.envMapCubeUVHeight),E.push(v.mapUv),E.push(v.alphaMapUv),E.push(v.lightMapUv),E.push(v.aoMapUv),E.push(v.bumpMapUv),E.push(v.normalMapUv),E.push(v.displacementMapUv),E.push(v.emissiveMapUv),E.push(v.metalnessMapUv),E.push(v.roughnessMapUv),E.push(v.anisotropyMapUv),E.push(v.clearcoatMapUv),E.push(v.clearcoatNormalMapUv),E.push(v.clearcoatRoughnessMapUv),E.push(v.iridescenceMapUv),E.push(v.iridescenceThicknessMapUv),E.push(v.sheenColorMapUv),E.push(v.sheenRoughnessMapUv),E.push(v.specularMapUv),E.push(v.specularColorMapUv),E.push(v.specularIntensityMapUv),E.push(v.transmissionMapUv),E.push(v.thicknessMapUv),E.push(v.combine),E.push(v.fogExp2),E.push(v.sizeAttenuation),E.push(v.morphTargetsCount),E.push(v.morphAttributeCount),E.push(v.numDirLights),E.push(v.numPointLights),E.push(v.numSpotLights),E.push(v.numSpotLightMaps),E.push(v.numHemiLights),E.push(v.numRectAreaLights),E.push(v.numDirLightShadows),E.push(v.numPointLightShadows),E.push(v.numSpotLightShadows),E.push(v.numSpotLightShadowsWithMaps),E.push(v.numLightProbes),E.push(v.shadowMapType),E.push(v.toneMapping),E.push(v.numClippingPlanes),E.push(v.numClipIntersection),E.push(v.depthPacking)}function b(E,v){a.disableAll(),v.supportsVertexTextures&&a.enable(0),v.instancing&&a.enable(1),v.instancingColor&&a.enable(2),v.instancingMorph&&a.enable(3),v.matcap&&a.enable(4),v.envMap&&a.enable(5),v.normalMapObjectSpace&&a.enable(6),v.normalMapTangentSpace&&a.enable(7),v.clearcoat&&a.enable(8),v.iridescence&&a.enable(9),v.alphaTest&&a.enable(10),v.vertexColors&&a.enable(11),v.vertexAlphas&&a.enable(12),v.vertexUv1s&&a.enable(13),v.vertexUv2s&&a.enable(14),v.vertexUv3s&&a.enable(15),v.vertexTangents&&a.enable(16),v.anisotropy&&a.enable(17),v.alphaHash&&a.enable(18),v.batching&&a.enable(19),v.dispersion&&a.enable(20),v.batchingColor&&a.enable(21),E.push(a.mask),a.disableAll(),v.fog&&a.enable(0),v.useFog&&a.enable(1),v.flatShading&&a.enable(2),v.logarithmicDepthBuffer&&a.enable(3),v.reverseDepthBuffer&&a.enable(4),v.skinning&&a.enable(5),v.morphTargets&&a.enable(6),v.morphNormals&&a.enable(7),v.morphColors&&a.enable(8),v.premultipliedAlpha&&a.enable(9),v.shadowMapEnabled&&a.enable(10),v.doubleSided&&a.enable(11),v.flipSided&&a.enable(12),v.useDepthPacking&&a.enable(13),v.dithering&&a.enable(14),v.transmission&&a.enable(15),v.sheen&&a.enable(16),v.opaque&&a.enable(17),v.pointsUvs&&a.enable(18),v.decodeVideoTexture&&a.enable(19),v.decodeVideoTextureEmissive&&a.enable(20),v.alphaToCoverage&&a.enable(21),E.push(a.mask)}function S(E){let v=g[E.type],A;if(v){let V=Vi[v];A=Zp.clone(V.uniforms)}else A=E.uniforms;return A}function P(E,v){let A;for(let V=0,z=h.length;V<z;V++){let W=h[V];if(W.cacheKey===v){A=W,++A.usedTimes;break}}return A===void 0&&(A=new DM(i,v,E,r),h.push(A)),A}function R(E){if(--E.usedTimes===0){let v=h.indexOf(E);h[v]=h[h.length-1],h.pop(),E.destroy()}}function L(E){l.remove(E)}function N(){l.dispose()}return{getParameters:m,getProgramCacheKey:p,getUniforms:S,acquireProgram:P,releaseProgram:R,releaseShaderCache:L,programs:h,dispose:N}}function FM(){let i=new WeakMap;function t(o){return i.has(o)}function e(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:t,get:e,remove:n,update:s,dispose:r}}function OM(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.material.id!==t.material.id?i.material.id-t.material.id:i.z!==t.z?i.z-t.z:i.id-t.id}function _m(i,t){return i.groupOrder!==t.groupOrder?i.groupOrder-t.groupOrder:i.renderOrder!==t.renderOrder?i.renderOrder-t.renderOrder:i.z!==t.z?t.z-i.z:i.id-t.id}function xm(){let i=[],t=0,e=[],n=[],s=[];function r(){t=0,e.length=0,n.length=0,s.length=0}function o(d,u,f,g,x,m){let p=i[t];return p===void 0?(p={id:d.id,object:d,geometry:u,material:f,groupOrder:g,renderOrder:d.renderOrder,z:x,group:m},i[t]=p):(p.id=d.id,p.object=d,p.geometry=u,p.material=f,p.groupOrder=g,p.renderOrder=d.renderOrder,p.z=x,p.group=m),t++,p}function a(d,u,f,g,x,m){let p=o(d,u,f,g,x,m);f.transmission>0?n.push(p):f.transparent===!0?s.push(p):e.push(p)}function l(d,u,f,g,x,m){let p=o(d,u,f,g,x,m);f.transmission>0?n.unshift(p):f.transparent===!0?s.unshift(p):e.unshift(p)}function c(d,u){e.length>1&&e.sort(d||OM),n.length>1&&n.sort(u||_m),s.length>1&&s.sort(u||_m)}function h(){for(let d=t,u=i.length;d<u;d++){let f=i[d];if(f.id===null)break;f.id=null,f.object=null,f.geometry=null,f.material=null,f.group=null}}return{opaque:e,transmissive:n,transparent:s,init:r,push:a,unshift:l,finish:h,sort:c}}function BM(){let i=new WeakMap;function t(n,s){let r=i.get(n),o;return r===void 0?(o=new xm,i.set(n,[o])):s>=r.length?(o=new xm,r.push(o)):o=r[s],o}function e(){i=new WeakMap}return{get:t,dispose:e}}function kM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={direction:new U,color:new Xt};break;case"SpotLight":e={position:new U,direction:new U,color:new Xt,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":e={position:new U,color:new Xt,distance:0,decay:0};break;case"HemisphereLight":e={direction:new U,skyColor:new Xt,groundColor:new Xt};break;case"RectAreaLight":e={color:new Xt,position:new U,halfWidth:new U,halfHeight:new U};break}return i[t.id]=e,e}}}function zM(){let i={};return{get:function(t){if(i[t.id]!==void 0)return i[t.id];let e;switch(t.type){case"DirectionalLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It};break;case"SpotLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It};break;case"PointLight":e={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new It,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[t.id]=e,e}}}var HM=0;function VM(i,t){return(t.castShadow?2:0)-(i.castShadow?2:0)+(t.map?1:0)-(i.map?1:0)}function GM(i){let t=new kM,e=zM(),n={version:0,hash:{directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new U);let s=new U,r=new ve,o=new ve;function a(c){let h=0,d=0,u=0;for(let E=0;E<9;E++)n.probe[E].set(0,0,0);let f=0,g=0,x=0,m=0,p=0,T=0,b=0,S=0,P=0,R=0,L=0;c.sort(VM);for(let E=0,v=c.length;E<v;E++){let A=c[E],V=A.color,z=A.intensity,W=A.distance,Z=A.shadow&&A.shadow.map?A.shadow.map.texture:null;if(A.isAmbientLight)h+=V.r*z,d+=V.g*z,u+=V.b*z;else if(A.isLightProbe){for(let Y=0;Y<9;Y++)n.probe[Y].addScaledVector(A.sh.coefficients[Y],z);L++}else if(A.isDirectionalLight){let Y=t.get(A);if(Y.color.copy(A.color).multiplyScalar(A.intensity),A.castShadow){let et=A.shadow,j=e.get(A);j.shadowIntensity=et.intensity,j.shadowBias=et.bias,j.shadowNormalBias=et.normalBias,j.shadowRadius=et.radius,j.shadowMapSize=et.mapSize,n.directionalShadow[f]=j,n.directionalShadowMap[f]=Z,n.directionalShadowMatrix[f]=A.shadow.matrix,T++}n.directional[f]=Y,f++}else if(A.isSpotLight){let Y=t.get(A);Y.position.setFromMatrixPosition(A.matrixWorld),Y.color.copy(V).multiplyScalar(z),Y.distance=W,Y.coneCos=Math.cos(A.angle),Y.penumbraCos=Math.cos(A.angle*(1-A.penumbra)),Y.decay=A.decay,n.spot[x]=Y;let et=A.shadow;if(A.map&&(n.spotLightMap[P]=A.map,P++,et.updateMatrices(A),A.castShadow&&R++),n.spotLightMatrix[x]=et.matrix,A.castShadow){let j=e.get(A);j.shadowIntensity=et.intensity,j.shadowBias=et.bias,j.shadowNormalBias=et.normalBias,j.shadowRadius=et.radius,j.shadowMapSize=et.mapSize,n.spotShadow[x]=j,n.spotShadowMap[x]=Z,S++}x++}else if(A.isRectAreaLight){let Y=t.get(A);Y.color.copy(V).multiplyScalar(z),Y.halfWidth.set(A.width*.5,0,0),Y.halfHeight.set(0,A.height*.5,0),n.rectArea[m]=Y,m++}else if(A.isPointLight){let Y=t.get(A);if(Y.color.copy(A.color).multiplyScalar(A.intensity),Y.distance=A.distance,Y.decay=A.decay,A.castShadow){let et=A.shadow,j=e.get(A);j.shadowIntensity=et.intensity,j.shadowBias=et.bias,j.shadowNormalBias=et.normalBias,j.shadowRadius=et.radius,j.shadowMapSize=et.mapSize,j.shadowCameraNear=et.camera.near,j.shadowCameraFar=et.camera.far,n.pointShadow[g]=j,n.pointShadowMap[g]=Z,n.pointShadowMatrix[g]=A.shadow.matrix,b++}n.point[g]=Y,g++}else if(A.isHemisphereLight){let Y=t.get(A);Y.skyColor.copy(A.color).multiplyScalar(z),Y.groundColor.copy(A.groundColor).multiplyScalar(z),n.hemi[p]=Y,p++}}m>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=vt.LTC_FLOAT_1,n.rectAreaLTC2=vt.LTC_FLOAT_2):(n.rectAreaLTC1=vt.LTC_HALF_1,n.rectAreaLTC2=vt.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=d,n.ambient[2]=u;let N=n.hash;(N.directionalLength!==f||N.pointLength!==g||N.spotLength!==x||N.rectAreaLength!==m||N.hemiLength!==p||N.numDirectionalShadows!==T||N.numPointShadows!==b||N.numSpotShadows!==S||N.numSpotMaps!==P||N.numLightProbes!==L)&&(n.directional.length=f,n.spot.length=x,n.rectArea.length=m,n.point.length=g,n.hemi.length=p,n.directionalShadow.length=T,n.directionalShadowMap.length=T,n.pointShadow.length=b,n.pointShadowMap.length=b,n.spotShadow.length=S,n.spotShadowMap.length=S,n.directionalShadowMatrix.length=T,n.pointShadowMatrix.length=b,n.spotLightMatrix.length=S+P-R,n.spotLightMap.length=P,n.numSpotLightShadowsWithMaps=R,n.numLightProbes=L,N.directionalLength=f,N.pointLength=g,N.spotLength=x,N.rectAreaLength=m,N.hemiLength=p,N.numDirectionalShadows=T,N.numPointShadows=b,N.numSpotShadows=S,N.numSpotMaps=P,N.numLightProbes=L,n.version=HM++)}function l(c,h){let d=0,u=0,f=0,g=0,x=0,m=h.matrixWorldInverse;for(let p=0,T=c.length;p<T;p++){let b=c[p];if(b.isDirectionalLight){let S=n.directional[d];S.direction.setFromMatrixPosition(b.matrixWorld),s.setFromMatrixPosition(b.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),d++}else if(b.isSpotLight){let S=n.spot[f];S.position.setFromMatrixPosition(b.matrixWorld),S.position.applyMatrix4(m),S.direction.setFromMatrixPosition(b.matrixWorld),s.setFromMatrixPosition(b.target.matrixWorld),S.direction.sub(s),S.direction.transformDirection(m),f++}else if(b.isRectAreaLight){let S=n.rectArea[g];S.position.setFromMatrixPosition(b.matrixWorld),S.position.applyMatrix4(m),o.identity(),r.copy(b.matrixWorld),r.premultiply(m),o.extractRotation(r),S.halfWidth.set(b.width*.5,0,0),S.halfHeight.set(0,b.height*.5,0),S.halfWidth.applyMatrix4(o),S.halfHeight.applyMatrix4(o),g++}else if(b.isPointLight){let S=n.point[u];S.position.setFromMatrixPosition(b.matrixWorld),S.position.applyMatrix4(m),u++}else if(b.isHemisphereLight){let S=n.hemi[x];S.direction.setFromMatrixPosition(b.matrixWorld),S.direction.transformDirection(m),x++}}}return{setup:a,setupView:l,state:n}}function ym(i){let t=new GM(i),e=[],n=[];function s(h){c.camera=h,e.length=0,n.length=0}function r(h){e.push(h)}function o(h){n.push(h)}function a(){t.setup(e)}function l(h){t.setupView(e,h)}let c={lightsArray:e,shadowsArray:n,camera:null,lights:t,transmissionRenderTarget:{}};return{init:s,state:c,setupLights:a,setupLightsView:l,pushLight:r,pushShadow:o}}function WM(i){let t=new WeakMap;function e(s,r=0){let o=t.get(s),a;return o===void 0?(a=new ym(i),t.set(s,[a])):r>=o.length?(a=new ym(i),o.push(a)):a=o[r],a}function n(){t=new WeakMap}return{get:e,dispose:n}}var XM=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,qM=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
#include <packing>
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = unpackRGBATo2Half( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ) );
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = unpackRGBAToDepth( texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ) );
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( squared_mean - mean * mean );
	gl_FragColor = pack2HalfToRGBA( vec2( mean, std_dev ) );
}`;function YM(i,t,e){let n=new jr,s=new It,r=new It,o=new Ve,a=new kl({depthPacking:Np}),l=new zl,c={},h=e.maxTextureSize,d={[ns]:Fn,[Fn]:ns,[bn]:bn},u=new Qn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new It},radius:{value:4}},vertexShader:XM,fragmentShader:qM}),f=u.clone();f.defines.HORIZONTAL_PASS=1;let g=new Ze;g.setAttribute("position",new en(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new De(g,u),m=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Eu;let p=this.type;this.render=function(R,L,N){if(m.enabled===!1||m.autoUpdate===!1&&m.needsUpdate===!1||R.length===0)return;let E=i.getRenderTarget(),v=i.getActiveCubeFace(),A=i.getActiveMipmapLevel(),V=i.state;V.setBlending(rs),V.buffers.color.setClear(1,1,1,1),V.buffers.depth.setTest(!0),V.setScissorTest(!1);let z=p!==zi&&this.type===zi,W=p===zi&&this.type!==zi;for(let Z=0,Y=R.length;Z<Y;Z++){let et=R[Z],j=et.shadow;if(j===void 0){console.warn("THREE.WebGLShadowMap:",et,"has no shadow.");continue}if(j.autoUpdate===!1&&j.needsUpdate===!1)continue;s.copy(j.mapSize);let ut=j.getFrameExtents();if(s.multiply(ut),r.copy(j.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ut.x),s.x=r.x*ut.x,j.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ut.y),s.y=r.y*ut.y,j.mapSize.y=r.y)),j.map===null||z===!0||W===!0){let mt=this.type!==zi?{minFilter:Hn,magFilter:Hn}:{};j.map!==null&&j.map.dispose(),j.map=new Oi(s.x,s.y,mt),j.map.texture.name=et.name+".shadowMap",j.camera.updateProjectionMatrix()}i.setRenderTarget(j.map),i.clear();let ot=j.getViewportCount();for(let mt=0;mt<ot;mt++){let ft=j.getViewport(mt);o.set(r.x*ft.x,r.y*ft.y,r.x*ft.z,r.y*ft.w),V.viewport(o),j.updateMatrices(et,mt),n=j.getFrustum(),S(L,N,j.camera,et,this.type)}j.isPointLightShadow!==!0&&this.type===zi&&T(j,N),j.needsUpdate=!1}p=this.type,m.needsUpdate=!1,i.setRenderTarget(E,v,A)};function T(R,L){let N=t.update(x);u.defines.VSM_SAMPLES!==R.blurSamples&&(u.defines.VSM_SAMPLES=R.blurSamples,f.defines.VSM_SAMPLES=R.blurSamples,u.needsUpdate=!0,f.needsUpdate=!0),R.mapPass===null&&(R.mapPass=new Oi(s.x,s.y)),u.uniforms.shadow_pass.value=R.map.texture,u.uniforms.resolution.value=R.mapSize,u.uniforms.radius.value=R.radius,i.setRenderTarget(R.mapPass),i.clear(),i.renderBufferDirect(L,null,N,u,x,null),f.uniforms.shadow_pass.value=R.mapPass.texture,f.uniforms.resolution.value=R.mapSize,f.uniforms.radius.value=R.radius,i.setRenderTarget(R.map),i.clear(),i.renderBufferDirect(L,null,N,f,x,null)}function b(R,L,N,E){let v=null,A=N.isPointLight===!0?R.customDistanceMaterial:R.customDepthMaterial;if(A!==void 0)v=A;else if(v=N.isPointLight===!0?l:a,i.localClippingEnabled&&L.clipShadows===!0&&Array.isArray(L.clippingPlanes)&&L.clippingPlanes.length!==0||L.displacementMap&&L.displacementScale!==0||L.alphaMap&&L.alphaTest>0||L.map&&L.alphaTest>0){let V=v.uuid,z=L.uuid,W=c[V];W===void 0&&(W={},c[V]=W);let Z=W[z];Z===void 0&&(Z=v.clone(),W[z]=Z,L.addEventListener("dispose",P)),v=Z}if(v.visible=L.visible,v.wireframe=L.wireframe,E===zi?v.side=L.shadowSide!==null?L.shadowSide:L.side:v.side=L.shadowSide!==null?L.shadowSide:d[L.side],v.alphaMap=L.alphaMap,v.alphaTest=L.alphaTest,v.map=L.map,v.clipShadows=L.clipShadows,v.clippingPlanes=L.clippingPlanes,v.clipIntersection=L.clipIntersection,v.displacementMap=L.displacementMap,v.displacementScale=L.displacementScale,v.displacementBias=L.displacementBias,v.wireframeLinewidth=L.wireframeLinewidth,v.linewidth=L.linewidth,N.isPointLight===!0&&v.isMeshDistanceMaterial===!0){let V=i.properties.get(v);V.light=N}return v}function S(R,L,N,E,v){if(R.visible===!1)return;if(R.layers.test(L.layers)&&(R.isMesh||R.isLine||R.isPoints)&&(R.castShadow||R.receiveShadow&&v===zi)&&(!R.frustumCulled||n.intersectsObject(R))){R.modelViewMatrix.multiplyMatrices(N.matrixWorldInverse,R.matrixWorld);let z=t.update(R),W=R.material;if(Array.isArray(W)){let Z=z.groups;for(let Y=0,et=Z.length;Y<et;Y++){let j=Z[Y],ut=W[j.materialIndex];if(ut&&ut.visible){let ot=b(R,ut,E,v);R.onBeforeShadow(i,R,L,N,z,ot,j),i.renderBufferDirect(N,null,z,ot,R,j),R.onAfterShadow(i,R,L,N,z,ot,j)}}}else if(W.visible){let Z=b(R,W,E,v);R.onBeforeShadow(i,R,L,N,z,Z,null),i.renderBufferDirect(N,null,z,Z,R,null),R.onAfterShadow(i,R,L,N,z,Z,null)}}let V=R.children;for(let z=0,W=V.length;z<W;z++)S(V[z],L,N,E,v)}function P(R){R.target.removeEventListener("dispose",P);for(let N in c){let E=c[N],v=R.target.uuid;v in E&&(E[v].dispose(),delete E[v])}}}var $M={[Ql]:tc,[ec]:sc,[nc]:rc,[js]:ic,[tc]:Ql,[sc]:ec,[rc]:nc,[ic]:js};function ZM(i,t){function e(){let O=!1,yt=new Ve,Q=null,rt=new Ve(0,0,0,0);return{setMask:function(Et){Q!==Et&&!O&&(i.colorMask(Et,Et,Et,Et),Q=Et)},setLocked:function(Et){O=Et},setClear:function(Et,bt,jt,ke,Ct){Ct===!0&&(Et*=ke,bt*=ke,jt*=ke),yt.set(Et,bt,jt,ke),rt.equals(yt)===!1&&(i.clearColor(Et,bt,jt,ke),rt.copy(yt))},reset:function(){O=!1,Q=null,rt.set(-1,0,0,0)}}}function n(){let O=!1,yt=!1,Q=null,rt=null,Et=null;return{setReversed:function(bt){if(yt!==bt){let jt=t.get("EXT_clip_control");yt?jt.clipControlEXT(jt.LOWER_LEFT_EXT,jt.ZERO_TO_ONE_EXT):jt.clipControlEXT(jt.LOWER_LEFT_EXT,jt.NEGATIVE_ONE_TO_ONE_EXT);let ke=Et;Et=null,this.setClear(ke)}yt=bt},getReversed:function(){return yt},setTest:function(bt){bt?dt(i.DEPTH_TEST):Ft(i.DEPTH_TEST)},setMask:function(bt){Q!==bt&&!O&&(i.depthMask(bt),Q=bt)},setFunc:function(bt){if(yt&&(bt=$M[bt]),rt!==bt){switch(bt){case Ql:i.depthFunc(i.NEVER);break;case tc:i.depthFunc(i.ALWAYS);break;case ec:i.depthFunc(i.LESS);break;case js:i.depthFunc(i.LEQUAL);break;case nc:i.depthFunc(i.EQUAL);break;case ic:i.depthFunc(i.GEQUAL);break;case sc:i.depthFunc(i.GREATER);break;case rc:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}rt=bt}},setLocked:function(bt){O=bt},setClear:function(bt){Et!==bt&&(yt&&(bt=1-bt),i.clearDepth(bt),Et=bt)},reset:function(){O=!1,Q=null,rt=null,Et=null,yt=!1}}}function s(){let O=!1,yt=null,Q=null,rt=null,Et=null,bt=null,jt=null,ke=null,Ct=null;return{setTest:function(ae){O||(ae?dt(i.STENCIL_TEST):Ft(i.STENCIL_TEST))},setMask:function(ae){yt!==ae&&!O&&(i.stencilMask(ae),yt=ae)},setFunc:function(ae,Te,pn){(Q!==ae||rt!==Te||Et!==pn)&&(i.stencilFunc(ae,Te,pn),Q=ae,rt=Te,Et=pn)},setOp:function(ae,Te,pn){(bt!==ae||jt!==Te||ke!==pn)&&(i.stencilOp(ae,Te,pn),bt=ae,jt=Te,ke=pn)},setLocked:function(ae){O=ae},setClear:function(ae){Ct!==ae&&(i.clearStencil(ae),Ct=ae)},reset:function(){O=!1,yt=null,Q=null,rt=null,Et=null,bt=null,jt=null,ke=null,Ct=null}}}let r=new e,o=new n,a=new s,l=new WeakMap,c=new WeakMap,h={},d={},u=new WeakMap,f=[],g=null,x=!1,m=null,p=null,T=null,b=null,S=null,P=null,R=null,L=new Xt(0,0,0),N=0,E=!1,v=null,A=null,V=null,z=null,W=null,Z=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),Y=!1,et=0,j=i.getParameter(i.VERSION);j.indexOf("WebGL")!==-1?(et=parseFloat(/^WebGL (\d)/.exec(j)[1]),Y=et>=1):j.indexOf("OpenGL ES")!==-1&&(et=parseFloat(/^OpenGL ES (\d)/.exec(j)[1]),Y=et>=2);let ut=null,ot={},mt=i.getParameter(i.SCISSOR_BOX),ft=i.getParameter(i.VIEWPORT),Wt=new Ve().fromArray(mt),J=new Ve().fromArray(ft);function ct(O,yt,Q,rt){let Et=new Uint8Array(4),bt=i.createTexture();i.bindTexture(O,bt),i.texParameteri(O,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(O,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let jt=0;jt<Q;jt++)O===i.TEXTURE_3D||O===i.TEXTURE_2D_ARRAY?i.texImage3D(yt,0,i.RGBA,1,1,rt,0,i.RGBA,i.UNSIGNED_BYTE,Et):i.texImage2D(yt+jt,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,Et);return bt}let Nt={};Nt[i.TEXTURE_2D]=ct(i.TEXTURE_2D,i.TEXTURE_2D,1),Nt[i.TEXTURE_CUBE_MAP]=ct(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Nt[i.TEXTURE_2D_ARRAY]=ct(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Nt[i.TEXTURE_3D]=ct(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),dt(i.DEPTH_TEST),o.setFunc(js),ie(!1),Kt(wu),dt(i.CULL_FACE),F(rs);function dt(O){h[O]!==!0&&(i.enable(O),h[O]=!0)}function Ft(O){h[O]!==!1&&(i.disable(O),h[O]=!1)}function Vt(O,yt){return d[O]!==yt?(i.bindFramebuffer(O,yt),d[O]=yt,O===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=yt),O===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=yt),!0):!1}function kt(O,yt){let Q=f,rt=!1;if(O){Q=u.get(yt),Q===void 0&&(Q=[],u.set(yt,Q));let Et=O.textures;if(Q.length!==Et.length||Q[0]!==i.COLOR_ATTACHMENT0){for(let bt=0,jt=Et.length;bt<jt;bt++)Q[bt]=i.COLOR_ATTACHMENT0+bt;Q.length=Et.length,rt=!0}}else Q[0]!==i.BACK&&(Q[0]=i.BACK,rt=!0);rt&&i.drawBuffers(Q)}function oe(O){return g!==O?(i.useProgram(O),g=O,!0):!1}let te={[As]:i.FUNC_ADD,[ap]:i.FUNC_SUBTRACT,[lp]:i.FUNC_REVERSE_SUBTRACT};te[cp]=i.MIN,te[hp]=i.MAX;let Ee={[up]:i.ZERO,[dp]:i.ONE,[fp]:i.SRC_COLOR,[gl]:i.SRC_ALPHA,[yp]:i.SRC_ALPHA_SATURATE,[_p]:i.DST_COLOR,[mp]:i.DST_ALPHA,[pp]:i.ONE_MINUS_SRC_COLOR,[_l]:i.ONE_MINUS_SRC_ALPHA,[xp]:i.ONE_MINUS_DST_COLOR,[gp]:i.ONE_MINUS_DST_ALPHA,[vp]:i.CONSTANT_COLOR,[Mp]:i.ONE_MINUS_CONSTANT_COLOR,[Sp]:i.CONSTANT_ALPHA,[bp]:i.ONE_MINUS_CONSTANT_ALPHA};function F(O,yt,Q,rt,Et,bt,jt,ke,Ct,ae){if(O===rs){x===!0&&(Ft(i.BLEND),x=!1);return}if(x===!1&&(dt(i.BLEND),x=!0),O!==op){if(O!==m||ae!==E){if((p!==As||S!==As)&&(i.blendEquation(i.FUNC_ADD),p=As,S=As),ae)switch(O){case Ks:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Tu:i.blendFunc(i.ONE,i.ONE);break;case Au:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Ru:i.blendFuncSeparate(i.ZERO,i.SRC_COLOR,i.ZERO,i.SRC_ALPHA);break;default:console.error("THREE.WebGLState: Invalid blending: ",O);break}else switch(O){case Ks:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Tu:i.blendFunc(i.SRC_ALPHA,i.ONE);break;case Au:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Ru:i.blendFunc(i.ZERO,i.SRC_COLOR);break;default:console.error("THREE.WebGLState: Invalid blending: ",O);break}T=null,b=null,P=null,R=null,L.set(0,0,0),N=0,m=O,E=ae}return}Et=Et||yt,bt=bt||Q,jt=jt||rt,(yt!==p||Et!==S)&&(i.blendEquationSeparate(te[yt],te[Et]),p=yt,S=Et),(Q!==T||rt!==b||bt!==P||jt!==R)&&(i.blendFuncSeparate(Ee[Q],Ee[rt],Ee[bt],Ee[jt]),T=Q,b=rt,P=bt,R=jt),(ke.equals(L)===!1||Ct!==N)&&(i.blendColor(ke.r,ke.g,ke.b,Ct),L.copy(ke),N=Ct),m=O,E=!1}function sn(O,yt){O.side===bn?Ft(i.CULL_FACE):dt(i.CULL_FACE);let Q=O.side===Fn;yt&&(Q=!Q),ie(Q),O.blending===Ks&&O.transparent===!1?F(rs):F(O.blending,O.blendEquation,O.blendSrc,O.blendDst,O.blendEquationAlpha,O.blendSrcAlpha,O.blendDstAlpha,O.blendColor,O.blendAlpha,O.premultipliedAlpha),o.setFunc(O.depthFunc),o.setTest(O.depthTest),o.setMask(O.depthWrite),r.setMask(O.colorWrite);let rt=O.stencilWrite;a.setTest(rt),rt&&(a.setMask(O.stencilWriteMask),a.setFunc(O.stencilFunc,O.stencilRef,O.stencilFuncMask),a.setOp(O.stencilFail,O.stencilZFail,O.stencilZPass)),Se(O.polygonOffset,O.polygonOffsetFactor,O.polygonOffsetUnits),O.alphaToCoverage===!0?dt(i.SAMPLE_ALPHA_TO_COVERAGE):Ft(i.SAMPLE_ALPHA_TO_COVERAGE)}function ie(O){v!==O&&(O?i.frontFace(i.CW):i.frontFace(i.CCW),v=O)}function Kt(O){O!==sp?(dt(i.CULL_FACE),O!==A&&(O===wu?i.cullFace(i.BACK):O===rp?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):Ft(i.CULL_FACE),A=O}function Rt(O){O!==V&&(Y&&i.lineWidth(O),V=O)}function Se(O,yt,Q){O?(dt(i.POLYGON_OFFSET_FILL),(z!==yt||W!==Q)&&(i.polygonOffset(yt,Q),z=yt,W=Q)):Ft(i.POLYGON_OFFSET_FILL)}function Ut(O){O?dt(i.SCISSOR_TEST):Ft(i.SCISSOR_TEST)}function C(O){O===void 0&&(O=i.TEXTURE0+Z-1),ut!==O&&(i.activeTexture(O),ut=O)}function y(O,yt,Q){Q===void 0&&(ut===null?Q=i.TEXTURE0+Z-1:Q=ut);let rt=ot[Q];rt===void 0&&(rt={type:void 0,texture:void 0},ot[Q]=rt),(rt.type!==O||rt.texture!==yt)&&(ut!==Q&&(i.activeTexture(Q),ut=Q),i.bindTexture(O,yt||Nt[O]),rt.type=O,rt.texture=yt)}function k(){let O=ot[ut];O!==void 0&&O.type!==void 0&&(i.bindTexture(O.type,null),O.type=void 0,O.texture=void 0)}function nt(){try{i.compressedTexImage2D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function K(){try{i.compressedTexImage3D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function tt(){try{i.texSubImage2D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Lt(){try{i.texSubImage3D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function gt(){try{i.compressedTexSubImage2D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Mt(){try{i.compressedTexSubImage3D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Yt(){try{i.texStorage2D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function at(){try{i.texStorage3D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function _t(){try{i.texImage2D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function Ot(){try{i.texImage3D.apply(i,arguments)}catch(O){console.error("THREE.WebGLState:",O)}}function zt(O){Wt.equals(O)===!1&&(i.scissor(O.x,O.y,O.z,O.w),Wt.copy(O))}function St(O){J.equals(O)===!1&&(i.viewport(O.x,O.y,O.z,O.w),J.copy(O))}function ne(O,yt){let Q=c.get(yt);Q===void 0&&(Q=new WeakMap,c.set(yt,Q));let rt=Q.get(O);rt===void 0&&(rt=i.getUniformBlockIndex(yt,O.name),Q.set(O,rt))}function $t(O,yt){let rt=c.get(yt).get(O);l.get(yt)!==rt&&(i.uniformBlockBinding(yt,rt,O.__bindingPointIndex),l.set(yt,rt))}function ye(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),h={},ut=null,ot={},d={},u=new WeakMap,f=[],g=null,x=!1,m=null,p=null,T=null,b=null,S=null,P=null,R=null,L=new Xt(0,0,0),N=0,E=!1,v=null,A=null,V=null,z=null,W=null,Wt.set(0,0,i.canvas.width,i.canvas.height),J.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:dt,disable:Ft,bindFramebuffer:Vt,drawBuffers:kt,useProgram:oe,setBlending:F,setMaterial:sn,setFlipSided:ie,setCullFace:Kt,setLineWidth:Rt,setPolygonOffset:Se,setScissorTest:Ut,activeTexture:C,bindTexture:y,unbindTexture:k,compressedTexImage2D:nt,compressedTexImage3D:K,texImage2D:_t,texImage3D:Ot,updateUBOMapping:ne,uniformBlockBinding:$t,texStorage2D:Yt,texStorage3D:at,texSubImage2D:tt,texSubImage3D:Lt,compressedTexSubImage2D:gt,compressedTexSubImage3D:Mt,scissor:zt,viewport:St,reset:ye}}function JM(i,t,e,n,s,r,o){let a=t.has("WEBGL_multisampled_render_to_texture")?t.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new It,h=new WeakMap,d,u=new WeakMap,f=!1;try{f=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function g(C,y){return f?new OffscreenCanvas(C,y):Xo("canvas")}function x(C,y,k){let nt=1,K=Ut(C);if((K.width>k||K.height>k)&&(nt=k/Math.max(K.width,K.height)),nt<1)if(typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&C instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&C instanceof ImageBitmap||typeof VideoFrame<"u"&&C instanceof VideoFrame){let tt=Math.floor(nt*K.width),Lt=Math.floor(nt*K.height);d===void 0&&(d=g(tt,Lt));let gt=y?g(tt,Lt):d;return gt.width=tt,gt.height=Lt,gt.getContext("2d").drawImage(C,0,0,tt,Lt),console.warn("THREE.WebGLRenderer: Texture has been resized from ("+K.width+"x"+K.height+") to ("+tt+"x"+Lt+")."),gt}else return"data"in C&&console.warn("THREE.WebGLRenderer: Image in DataTexture is too big ("+K.width+"x"+K.height+")."),C;return C}function m(C){return C.generateMipmaps}function p(C){i.generateMipmap(C)}function T(C){return C.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:C.isWebGL3DRenderTarget?i.TEXTURE_3D:C.isWebGLArrayRenderTarget||C.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function b(C,y,k,nt,K=!1){if(C!==null){if(i[C]!==void 0)return i[C];console.warn("THREE.WebGLRenderer: Attempt to use non-existing WebGL internal format '"+C+"'")}let tt=y;if(y===i.RED&&(k===i.FLOAT&&(tt=i.R32F),k===i.HALF_FLOAT&&(tt=i.R16F),k===i.UNSIGNED_BYTE&&(tt=i.R8)),y===i.RED_INTEGER&&(k===i.UNSIGNED_BYTE&&(tt=i.R8UI),k===i.UNSIGNED_SHORT&&(tt=i.R16UI),k===i.UNSIGNED_INT&&(tt=i.R32UI),k===i.BYTE&&(tt=i.R8I),k===i.SHORT&&(tt=i.R16I),k===i.INT&&(tt=i.R32I)),y===i.RG&&(k===i.FLOAT&&(tt=i.RG32F),k===i.HALF_FLOAT&&(tt=i.RG16F),k===i.UNSIGNED_BYTE&&(tt=i.RG8)),y===i.RG_INTEGER&&(k===i.UNSIGNED_BYTE&&(tt=i.RG8UI),k===i.UNSIGNED_SHORT&&(tt=i.RG16UI),k===i.UNSIGNED_INT&&(tt=i.RG32UI),k===i.BYTE&&(tt=i.RG8I),k===i.SHORT&&(tt=i.RG16I),k===i.INT&&(tt=i.RG32I)),y===i.RGB_INTEGER&&(k===i.UNSIGNED_BYTE&&(tt=i.RGB8UI),k===i.UNSIGNED_SHORT&&(tt=i.RGB16UI),k===i.UNSIGNED_INT&&(tt=i.RGB32UI),k===i.BYTE&&(tt=i.RGB8I),k===i.SHORT&&(tt=i.RGB16I),k===i.INT&&(tt=i.RGB32I)),y===i.RGBA_INTEGER&&(k===i.UNSIGNED_BYTE&&(tt=i.RGBA8UI),k===i.UNSIGNED_SHORT&&(tt=i.RGBA16UI),k===i.UNSIGNED_INT&&(tt=i.RGBA32UI),k===i.BYTE&&(tt=i.RGBA8I),k===i.SHORT&&(tt=i.RGBA16I),k===i.INT&&(tt=i.RGBA32I)),y===i.RGB&&k===i.UNSIGNED_INT_5_9_9_9_REV&&(tt=i.RGB9_E5),y===i.RGBA){let Lt=K?Go:ge.getTransfer(nt);k===i.FLOAT&&(tt=i.RGBA32F),k===i.HALF_FLOAT&&(tt=i.RGBA16F),k===i.UNSIGNED_BYTE&&(tt=Lt===we?i.SRGB8_ALPHA8:i.RGBA8),k===i.UNSIGNED_SHORT_4_4_4_4&&(tt=i.RGBA4),k===i.UNSIGNED_SHORT_5_5_5_1&&(tt=i.RGB5_A1)}return(tt===i.R16F||tt===i.R32F||tt===i.RG16F||tt===i.RG32F||tt===i.RGBA16F||tt===i.RGBA32F)&&t.get("EXT_color_buffer_float"),tt}function S(C,y){let k;return C?y===null||y===Ds||y===or?k=i.DEPTH24_STENCIL8:y===Ei?k=i.DEPTH32F_STENCIL8:y===eo&&(k=i.DEPTH24_STENCIL8,console.warn("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):y===null||y===Ds||y===or?k=i.DEPTH_COMPONENT24:y===Ei?k=i.DEPTH_COMPONENT32F:y===eo&&(k=i.DEPTH_COMPONENT16),k}function P(C,y){return m(C)===!0||C.isFramebufferTexture&&C.minFilter!==Hn&&C.minFilter!==bi?Math.log2(Math.max(y.width,y.height))+1:C.mipmaps!==void 0&&C.mipmaps.length>0?C.mipmaps.length:C.isCompressedTexture&&Array.isArray(C.image)?y.mipmaps.length:1}function R(C){let y=C.target;y.removeEventListener("dispose",R),N(y),y.isVideoTexture&&h.delete(y)}function L(C){let y=C.target;y.removeEventListener("dispose",L),v(y)}function N(C){let y=n.get(C);if(y.__webglInit===void 0)return;let k=C.source,nt=u.get(k);if(nt){let K=nt[y.__cacheKey];K.usedTimes--,K.usedTimes===0&&E(C),Object.keys(nt).length===0&&u.delete(k)}n.remove(C)}function E(C){let y=n.get(C);i.deleteTexture(y.__webglTexture);let k=C.source,nt=u.get(k);delete nt[y.__cacheKey],o.memory.textures--}function v(C){let y=n.get(C);if(C.depthTexture&&(C.depthTexture.dispose(),n.remove(C.depthTexture)),C.isWebGLCubeRenderTarget)for(let nt=0;nt<6;nt++){if(Array.isArray(y.__webglFramebuffer[nt]))for(let K=0;K<y.__webglFramebuffer[nt].length;K++)i.deleteFramebuffer(y.__webglFramebuffer[nt][K]);else i.deleteFramebuffer(y.__webglFramebuffer[nt]);y.__webglDepthbuffer&&i.deleteRenderbuffer(y.__webglDepthbuffer[nt])}else{if(Array.isArray(y.__webglFramebuffer))for(let nt=0;nt<y.__webglFramebuffer.length;nt++)i.deleteFramebuffer(y.__webglFramebuffer[nt]);else i.deleteFramebuffer(y.__webglFramebuffer);if(y.__webglDepthbuffer&&i.deleteRenderbuffer(y.__webglDepthbuffer),y.__webglMultisampledFramebuffer&&i.deleteFramebuffer(y.__webglMultisampledFramebuffer),y.__webglColorRenderbuffer)for(let nt=0;nt<y.__webglColorRenderbuffer.length;nt++)y.__webglColorRenderbuffer[nt]&&i.deleteRenderbuffer(y.__webglColorRenderbuffer[nt]);y.__webglDepthRenderbuffer&&i.deleteRenderbuffer(y.__webglDepthRenderbuffer)}let k=C.textures;for(let nt=0,K=k.length;nt<K;nt++){let tt=n.get(k[nt]);tt.__webglTexture&&(i.deleteTexture(tt.__webglTexture),o.memory.textures--),n.remove(k[nt])}n.remove(C)}let A=0;function V(){A=0}function z(){let C=A;return C>=s.maxTextures&&console.warn("THREE.WebGLTextures: Trying to use "+C+" texture units while this GPU supports only "+s.maxTextures),A+=1,C}function W(C){let y=[];return y.push(C.wrapS),y.push(C.wrapT),y.push(C.wrapR||0),y.push(C.magFilter),y.push(C.minFilter),y.push(C.anisotropy),y.push(C.internalFormat),y.push(C.format),y.push(C.type),y.push(C.generateMipmaps),y.push(C.premultiplyAlpha),y.push(C.flipY),y.push(C.unpackAlignment),y.push(C.colorSpace),y.join()}function Z(C,y){let k=n.get(C);if(C.isVideoTexture&&Rt(C),C.isRenderTargetTexture===!1&&C.version>0&&k.__version!==C.version){let nt=C.image;if(nt===null)console.warn("THREE.WebGLRenderer: Texture marked for update but no image data found.");else if(nt.complete===!1)console.warn("THREE.WebGLRenderer: Texture marked for update but image is incomplete");else{J(k,C,y);return}}e.bindTexture(i.TEXTURE_2D,k.__webglTexture,i.TEXTURE0+y)}function Y(C,y){let k=n.get(C);if(C.version>0&&k.__version!==C.version){J(k,C,y);return}e.bindTexture(i.TEXTURE_2D_ARRAY,k.__webglTexture,i.TEXTURE0+y)}function et(C,y){let k=n.get(C);if(C.version>0&&k.__version!==C.version){J(k,C,y);return}e.bindTexture(i.TEXTURE_3D,k.__webglTexture,i.TEXTURE0+y)}function j(C,y){let k=n.get(C);if(C.version>0&&k.__version!==C.version){ct(k,C,y);return}e.bindTexture(i.TEXTURE_CUBE_MAP,k.__webglTexture,i.TEXTURE0+y)}let ut={[xl]:i.REPEAT,[Ts]:i.CLAMP_TO_EDGE,[yl]:i.MIRRORED_REPEAT},ot={[Hn]:i.NEAREST,[Dp]:i.NEAREST_MIPMAP_NEAREST,[ya]:i.NEAREST_MIPMAP_LINEAR,[bi]:i.LINEAR,[cc]:i.LINEAR_MIPMAP_NEAREST,[Ls]:i.LINEAR_MIPMAP_LINEAR},mt={[Op]:i.NEVER,[Gp]:i.ALWAYS,[Bp]:i.LESS,[ku]:i.LEQUAL,[kp]:i.EQUAL,[Vp]:i.GEQUAL,[zp]:i.GREATER,[Hp]:i.NOTEQUAL};function ft(C,y){if(y.type===Ei&&t.has("OES_texture_float_linear")===!1&&(y.magFilter===bi||y.magFilter===cc||y.magFilter===ya||y.magFilter===Ls||y.minFilter===bi||y.minFilter===cc||y.minFilter===ya||y.minFilter===Ls)&&console.warn("THREE.WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(C,i.TEXTURE_WRAP_S,ut[y.wrapS]),i.texParameteri(C,i.TEXTURE_WRAP_T,ut[y.wrapT]),(C===i.TEXTURE_3D||C===i.TEXTURE_2D_ARRAY)&&i.texParameteri(C,i.TEXTURE_WRAP_R,ut[y.wrapR]),i.texParameteri(C,i.TEXTURE_MAG_FILTER,ot[y.magFilter]),i.texParameteri(C,i.TEXTURE_MIN_FILTER,ot[y.minFilter]),y.compareFunction&&(i.texParameteri(C,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(C,i.TEXTURE_COMPARE_FUNC,mt[y.compareFunction])),t.has("EXT_texture_filter_anisotropic")===!0){if(y.magFilter===Hn||y.minFilter!==ya&&y.minFilter!==Ls||y.type===Ei&&t.has("OES_texture_float_linear")===!1)return;if(y.anisotropy>1||n.get(y).__currentAnisotropy){let k=t.get("EXT_texture_filter_anisotropic");i.texParameterf(C,k.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(y.anisotropy,s.getMaxAnisotropy())),n.get(y).__currentAnisotropy=y.anisotropy}}}function Wt(C,y){let k=!1;C.__webglInit===void 0&&(C.__webglInit=!0,y.addEventListener("dispose",R));let nt=y.source,K=u.get(nt);K===void 0&&(K={},u.set(nt,K));let tt=W(y);if(tt!==C.__cacheKey){K[tt]===void 0&&(K[tt]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,k=!0),K[tt].usedTimes++;let Lt=K[C.__cacheKey];Lt!==void 0&&(K[C.__cacheKey].usedTimes--,Lt.usedTimes===0&&E(y)),C.__cacheKey=tt,C.__webglTexture=K[tt].texture}return k}function J(C,y,k){let nt=i.TEXTURE_2D;(y.isDataArrayTexture||y.isCompressedArrayTexture)&&(nt=i.TEXTURE_2D_ARRAY),y.isData3DTexture&&(nt=i.TEXTURE_3D);let K=Wt(C,y),tt=y.source;e.bindTexture(nt,C.__webglTexture,i.TEXTURE0+k);let Lt=n.get(tt);if(tt.version!==Lt.__version||K===!0){e.activeTexture(i.TEXTURE0+k);let gt=ge.getPrimaries(ge.workingColorSpace),Mt=y.colorSpace===os?null:ge.getPrimaries(y.colorSpace),Yt=y.colorSpace===os||gt===Mt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,y.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,y.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Yt);let at=x(y.image,!1,s.maxTextureSize);at=Se(y,at);let _t=r.convert(y.format,y.colorSpace),Ot=r.convert(y.type),zt=b(y.internalFormat,_t,Ot,y.colorSpace,y.isVideoTexture);ft(nt,y);let St,ne=y.mipmaps,$t=y.isVideoTexture!==!0,ye=Lt.__version===void 0||K===!0,O=tt.dataReady,yt=P(y,at);if(y.isDepthTexture)zt=S(y.format===Qs,y.type),ye&&($t?e.texStorage2D(i.TEXTURE_2D,1,zt,at.width,at.height):e.texImage2D(i.TEXTURE_2D,0,zt,at.width,at.height,0,_t,Ot,null));else if(y.isDataTexture)if(ne.length>0){$t&&ye&&e.texStorage2D(i.TEXTURE_2D,yt,zt,ne[0].width,ne[0].height);for(let Q=0,rt=ne.length;Q<rt;Q++)St=ne[Q],$t?O&&e.texSubImage2D(i.TEXTURE_2D,Q,0,0,St.width,St.height,_t,Ot,St.data):e.texImage2D(i.TEXTURE_2D,Q,zt,St.width,St.height,0,_t,Ot,St.data);y.generateMipmaps=!1}else $t?(ye&&e.texStorage2D(i.TEXTURE_2D,yt,zt,at.width,at.height),O&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,at.width,at.height,_t,Ot,at.data)):e.texImage2D(i.TEXTURE_2D,0,zt,at.width,at.height,0,_t,Ot,at.data);else if(y.isCompressedTexture)if(y.isCompressedArrayTexture){$t&&ye&&e.texStorage3D(i.TEXTURE_2D_ARRAY,yt,zt,ne[0].width,ne[0].height,at.depth);for(let Q=0,rt=ne.length;Q<rt;Q++)if(St=ne[Q],y.format!==di)if(_t!==null)if($t){if(O)if(y.layerUpdates.size>0){let Et=$u(St.width,St.height,y.format,y.type);for(let bt of y.layerUpdates){let jt=St.data.subarray(bt*Et/St.data.BYTES_PER_ELEMENT,(bt+1)*Et/St.data.BYTES_PER_ELEMENT);e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,Q,0,0,bt,St.width,St.height,1,_t,jt)}y.clearLayerUpdates()}else e.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,Q,0,0,0,St.width,St.height,at.depth,_t,St.data)}else e.compressedTexImage3D(i.TEXTURE_2D_ARRAY,Q,zt,St.width,St.height,at.depth,0,St.data,0,0);else console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else $t?O&&e.texSubImage3D(i.TEXTURE_2D_ARRAY,Q,0,0,0,St.width,St.height,at.depth,_t,Ot,St.data):e.texImage3D(i.TEXTURE_2D_ARRAY,Q,zt,St.width,St.height,at.depth,0,_t,Ot,St.data)}else{$t&&ye&&e.texStorage2D(i.TEXTURE_2D,yt,zt,ne[0].width,ne[0].height);for(let Q=0,rt=ne.length;Q<rt;Q++)St=ne[Q],y.format!==di?_t!==null?$t?O&&e.compressedTexSubImage2D(i.TEXTURE_2D,Q,0,0,St.width,St.height,_t,St.data):e.compressedTexImage2D(i.TEXTURE_2D,Q,zt,St.width,St.height,0,St.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):$t?O&&e.texSubImage2D(i.TEXTURE_2D,Q,0,0,St.width,St.height,_t,Ot,St.data):e.texImage2D(i.TEXTURE_2D,Q,zt,St.width,St.height,0,_t,Ot,St.data)}else if(y.isDataArrayTexture)if($t){if(ye&&e.texStorage3D(i.TEXTURE_2D_ARRAY,yt,zt,at.width,at.height,at.depth),O)if(y.layerUpdates.size>0){let Q=$u(at.width,at.height,y.format,y.type);for(let rt of y.layerUpdates){let Et=at.data.subarray(rt*Q/at.data.BYTES_PER_ELEMENT,(rt+1)*Q/at.data.BYTES_PER_ELEMENT);e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,rt,at.width,at.height,1,_t,Ot,Et)}y.clearLayerUpdates()}else e.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,at.width,at.height,at.depth,_t,Ot,at.data)}else e.texImage3D(i.TEXTURE_2D_ARRAY,0,zt,at.width,at.height,at.depth,0,_t,Ot,at.data);else if(y.isData3DTexture)$t?(ye&&e.texStorage3D(i.TEXTURE_3D,yt,zt,at.width,at.height,at.depth),O&&e.texSubImage3D(i.TEXTURE_3D,0,0,0,0,at.width,at.height,at.depth,_t,Ot,at.data)):e.texImage3D(i.TEXTURE_3D,0,zt,at.width,at.height,at.depth,0,_t,Ot,at.data);else if(y.isFramebufferTexture){if(ye)if($t)e.texStorage2D(i.TEXTURE_2D,yt,zt,at.width,at.height);else{let Q=at.width,rt=at.height;for(let Et=0;Et<yt;Et++)e.texImage2D(i.TEXTURE_2D,Et,zt,Q,rt,0,_t,Ot,null),Q>>=1,rt>>=1}}else if(ne.length>0){if($t&&ye){let Q=Ut(ne[0]);e.texStorage2D(i.TEXTURE_2D,yt,zt,Q.width,Q.height)}for(let Q=0,rt=ne.length;Q<rt;Q++)St=ne[Q],$t?O&&e.texSubImage2D(i.TEXTURE_2D,Q,0,0,_t,Ot,St):e.texImage2D(i.TEXTURE_2D,Q,zt,_t,Ot,St);y.generateMipmaps=!1}else if($t){if(ye){let Q=Ut(at);e.texStorage2D(i.TEXTURE_2D,yt,zt,Q.width,Q.height)}O&&e.texSubImage2D(i.TEXTURE_2D,0,0,0,_t,Ot,at)}else e.texImage2D(i.TEXTURE_2D,0,zt,_t,Ot,at);m(y)&&p(nt),Lt.__version=tt.version,y.onUpdate&&y.onUpdate(y)}C.__version=y.version}function ct(C,y,k){if(y.image.length!==6)return;let nt=Wt(C,y),K=y.source;e.bindTexture(i.TEXTURE_CUBE_MAP,C.__webglTexture,i.TEXTURE0+k);let tt=n.get(K);if(K.version!==tt.__version||nt===!0){e.activeTexture(i.TEXTURE0+k);let Lt=ge.getPrimaries(ge.workingColorSpace),gt=y.colorSpace===os?null:ge.getPrimaries(y.colorSpace),Mt=y.colorSpace===os||Lt===gt?i.NONE:i.BROWSER_DEFAULT_WEBGL;i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,y.flipY),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,y.premultiplyAlpha),i.pixelStorei(i.UNPACK_ALIGNMENT,y.unpackAlignment),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Mt);let Yt=y.isCompressedTexture||y.image[0].isCompressedTexture,at=y.image[0]&&y.image[0].isDataTexture,_t=[];for(let rt=0;rt<6;rt++)!Yt&&!at?_t[rt]=x(y.image[rt],!0,s.maxCubemapSize):_t[rt]=at?y.image[rt].image:y.image[rt],_t[rt]=Se(y,_t[rt]);let Ot=_t[0],zt=r.convert(y.format,y.colorSpace),St=r.convert(y.type),ne=b(y.internalFormat,zt,St,y.colorSpace),$t=y.isVideoTexture!==!0,ye=tt.__version===void 0||nt===!0,O=K.dataReady,yt=P(y,Ot);ft(i.TEXTURE_CUBE_MAP,y);let Q;if(Yt){$t&&ye&&e.texStorage2D(i.TEXTURE_CUBE_MAP,yt,ne,Ot.width,Ot.height);for(let rt=0;rt<6;rt++){Q=_t[rt].mipmaps;for(let Et=0;Et<Q.length;Et++){let bt=Q[Et];y.format!==di?zt!==null?$t?O&&e.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et,0,0,bt.width,bt.height,zt,bt.data):e.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et,ne,bt.width,bt.height,0,bt.data):console.warn("THREE.WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):$t?O&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et,0,0,bt.width,bt.height,zt,St,bt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et,ne,bt.width,bt.height,0,zt,St,bt.data)}}}else{if(Q=y.mipmaps,$t&&ye){Q.length>0&&yt++;let rt=Ut(_t[0]);e.texStorage2D(i.TEXTURE_CUBE_MAP,yt,ne,rt.width,rt.height)}for(let rt=0;rt<6;rt++)if(at){$t?O&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,_t[rt].width,_t[rt].height,zt,St,_t[rt].data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,ne,_t[rt].width,_t[rt].height,0,zt,St,_t[rt].data);for(let Et=0;Et<Q.length;Et++){let jt=Q[Et].image[rt].image;$t?O&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et+1,0,0,jt.width,jt.height,zt,St,jt.data):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et+1,ne,jt.width,jt.height,0,zt,St,jt.data)}}else{$t?O&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,0,0,zt,St,_t[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,0,ne,zt,St,_t[rt]);for(let Et=0;Et<Q.length;Et++){let bt=Q[Et];$t?O&&e.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et+1,0,0,zt,St,bt.image[rt]):e.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+rt,Et+1,ne,zt,St,bt.image[rt])}}}m(y)&&p(i.TEXTURE_CUBE_MAP),tt.__version=K.version,y.onUpdate&&y.onUpdate(y)}C.__version=y.version}function Nt(C,y,k,nt,K,tt){let Lt=r.convert(k.format,k.colorSpace),gt=r.convert(k.type),Mt=b(k.internalFormat,Lt,gt,k.colorSpace),Yt=n.get(y),at=n.get(k);if(at.__renderTarget=y,!Yt.__hasExternalTextures){let _t=Math.max(1,y.width>>tt),Ot=Math.max(1,y.height>>tt);K===i.TEXTURE_3D||K===i.TEXTURE_2D_ARRAY?e.texImage3D(K,tt,Mt,_t,Ot,y.depth,0,Lt,gt,null):e.texImage2D(K,tt,Mt,_t,Ot,0,Lt,gt,null)}e.bindFramebuffer(i.FRAMEBUFFER,C),Kt(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,nt,K,at.__webglTexture,0,ie(y)):(K===i.TEXTURE_2D||K>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&K<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,nt,K,at.__webglTexture,tt),e.bindFramebuffer(i.FRAMEBUFFER,null)}function dt(C,y,k){if(i.bindRenderbuffer(i.RENDERBUFFER,C),y.depthBuffer){let nt=y.depthTexture,K=nt&&nt.isDepthTexture?nt.type:null,tt=S(y.stencilBuffer,K),Lt=y.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,gt=ie(y);Kt(y)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,gt,tt,y.width,y.height):k?i.renderbufferStorageMultisample(i.RENDERBUFFER,gt,tt,y.width,y.height):i.renderbufferStorage(i.RENDERBUFFER,tt,y.width,y.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,Lt,i.RENDERBUFFER,C)}else{let nt=y.textures;for(let K=0;K<nt.length;K++){let tt=nt[K],Lt=r.convert(tt.format,tt.colorSpace),gt=r.convert(tt.type),Mt=b(tt.internalFormat,Lt,gt,tt.colorSpace),Yt=ie(y);k&&Kt(y)===!1?i.renderbufferStorageMultisample(i.RENDERBUFFER,Yt,Mt,y.width,y.height):Kt(y)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,Yt,Mt,y.width,y.height):i.renderbufferStorage(i.RENDERBUFFER,Mt,y.width,y.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function Ft(C,y){if(y&&y.isWebGLCubeRenderTarget)throw new Error("Depth Texture with cube render targets is not supported");if(e.bindFramebuffer(i.FRAMEBUFFER,C),!(y.depthTexture&&y.depthTexture.isDepthTexture))throw new Error("renderTarget.depthTexture must be an instance of THREE.DepthTexture");let nt=n.get(y.depthTexture);nt.__renderTarget=y,(!nt.__webglTexture||y.depthTexture.image.width!==y.width||y.depthTexture.image.height!==y.height)&&(y.depthTexture.image.width=y.width,y.depthTexture.image.height=y.height,y.depthTexture.needsUpdate=!0),Z(y.depthTexture,0);let K=nt.__webglTexture,tt=ie(y);if(y.depthTexture.format===Js)Kt(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,K,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_ATTACHMENT,i.TEXTURE_2D,K,0);else if(y.depthTexture.format===Qs)Kt(y)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,K,0,tt):i.framebufferTexture2D(i.FRAMEBUFFER,i.DEPTH_STENCIL_ATTACHMENT,i.TEXTURE_2D,K,0);else throw new Error("Unknown depthTexture format")}function Vt(C){let y=n.get(C),k=C.isWebGLCubeRenderTarget===!0;if(y.__boundDepthTexture!==C.depthTexture){let nt=C.depthTexture;if(y.__depthDisposeCallback&&y.__depthDisposeCallback(),nt){let K=()=>{delete y.__boundDepthTexture,delete y.__depthDisposeCallback,nt.removeEventListener("dispose",K)};nt.addEventListener("dispose",K),y.__depthDisposeCallback=K}y.__boundDepthTexture=nt}if(C.depthTexture&&!y.__autoAllocateDepthBuffer){if(k)throw new Error("target.depthTexture not supported in Cube render targets");Ft(y.__webglFramebuffer,C)}else if(k){y.__webglDepthbuffer=[];for(let nt=0;nt<6;nt++)if(e.bindFramebuffer(i.FRAMEBUFFER,y.__webglFramebuffer[nt]),y.__webglDepthbuffer[nt]===void 0)y.__webglDepthbuffer[nt]=i.createRenderbuffer(),dt(y.__webglDepthbuffer[nt],C,!1);else{let K=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,tt=y.__webglDepthbuffer[nt];i.bindRenderbuffer(i.RENDERBUFFER,tt),i.framebufferRenderbuffer(i.FRAMEBUFFER,K,i.RENDERBUFFER,tt)}}else if(e.bindFramebuffer(i.FRAMEBUFFER,y.__webglFramebuffer),y.__webglDepthbuffer===void 0)y.__webglDepthbuffer=i.createRenderbuffer(),dt(y.__webglDepthbuffer,C,!1);else{let nt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,K=y.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,K),i.framebufferRenderbuffer(i.FRAMEBUFFER,nt,i.RENDERBUFFER,K)}e.bindFramebuffer(i.FRAMEBUFFER,null)}function kt(C,y,k){let nt=n.get(C);y!==void 0&&Nt(nt.__webglFramebuffer,C,C.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),k!==void 0&&Vt(C)}function oe(C){let y=C.texture,k=n.get(C),nt=n.get(y);C.addEventListener("dispose",L);let K=C.textures,tt=C.isWebGLCubeRenderTarget===!0,Lt=K.length>1;if(Lt||(nt.__webglTexture===void 0&&(nt.__webglTexture=i.createTexture()),nt.__version=y.version,o.memory.textures++),tt){k.__webglFramebuffer=[];for(let gt=0;gt<6;gt++)if(y.mipmaps&&y.mipmaps.length>0){k.__webglFramebuffer[gt]=[];for(let Mt=0;Mt<y.mipmaps.length;Mt++)k.__webglFramebuffer[gt][Mt]=i.createFramebuffer()}else k.__webglFramebuffer[gt]=i.createFramebuffer()}else{if(y.mipmaps&&y.mipmaps.length>0){k.__webglFramebuffer=[];for(let gt=0;gt<y.mipmaps.length;gt++)k.__webglFramebuffer[gt]=i.createFramebuffer()}else k.__webglFramebuffer=i.createFramebuffer();if(Lt)for(let gt=0,Mt=K.length;gt<Mt;gt++){let Yt=n.get(K[gt]);Yt.__webglTexture===void 0&&(Yt.__webglTexture=i.createTexture(),o.memory.textures++)}if(C.samples>0&&Kt(C)===!1){k.__webglMultisampledFramebuffer=i.createFramebuffer(),k.__webglColorRenderbuffer=[],e.bindFramebuffer(i.FRAMEBUFFER,k.__webglMultisampledFramebuffer);for(let gt=0;gt<K.length;gt++){let Mt=K[gt];k.__webglColorRenderbuffer[gt]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,k.__webglColorRenderbuffer[gt]);let Yt=r.convert(Mt.format,Mt.colorSpace),at=r.convert(Mt.type),_t=b(Mt.internalFormat,Yt,at,Mt.colorSpace,C.isXRRenderTarget===!0),Ot=ie(C);i.renderbufferStorageMultisample(i.RENDERBUFFER,Ot,_t,C.width,C.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+gt,i.RENDERBUFFER,k.__webglColorRenderbuffer[gt])}i.bindRenderbuffer(i.RENDERBUFFER,null),C.depthBuffer&&(k.__webglDepthRenderbuffer=i.createRenderbuffer(),dt(k.__webglDepthRenderbuffer,C,!0)),e.bindFramebuffer(i.FRAMEBUFFER,null)}}if(tt){e.bindTexture(i.TEXTURE_CUBE_MAP,nt.__webglTexture),ft(i.TEXTURE_CUBE_MAP,y);for(let gt=0;gt<6;gt++)if(y.mipmaps&&y.mipmaps.length>0)for(let Mt=0;Mt<y.mipmaps.length;Mt++)Nt(k.__webglFramebuffer[gt][Mt],C,y,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+gt,Mt);else Nt(k.__webglFramebuffer[gt],C,y,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+gt,0);m(y)&&p(i.TEXTURE_CUBE_MAP),e.unbindTexture()}else if(Lt){for(let gt=0,Mt=K.length;gt<Mt;gt++){let Yt=K[gt],at=n.get(Yt);e.bindTexture(i.TEXTURE_2D,at.__webglTexture),ft(i.TEXTURE_2D,Yt),Nt(k.__webglFramebuffer,C,Yt,i.COLOR_ATTACHMENT0+gt,i.TEXTURE_2D,0),m(Yt)&&p(i.TEXTURE_2D)}e.unbindTexture()}else{let gt=i.TEXTURE_2D;if((C.isWebGL3DRenderTarget||C.isWebGLArrayRenderTarget)&&(gt=C.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),e.bindTexture(gt,nt.__webglTexture),ft(gt,y),y.mipmaps&&y.mipmaps.length>0)for(let Mt=0;Mt<y.mipmaps.length;Mt++)Nt(k.__webglFramebuffer[Mt],C,y,i.COLOR_ATTACHMENT0,gt,Mt);else Nt(k.__webglFramebuffer,C,y,i.COLOR_ATTACHMENT0,gt,0);m(y)&&p(gt),e.unbindTexture()}C.depthBuffer&&Vt(C)}function te(C){let y=C.textures;for(let k=0,nt=y.length;k<nt;k++){let K=y[k];if(m(K)){let tt=T(C),Lt=n.get(K).__webglTexture;e.bindTexture(tt,Lt),p(tt),e.unbindTexture()}}}let Ee=[],F=[];function sn(C){if(C.samples>0){if(Kt(C)===!1){let y=C.textures,k=C.width,nt=C.height,K=i.COLOR_BUFFER_BIT,tt=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,Lt=n.get(C),gt=y.length>1;if(gt)for(let Mt=0;Mt<y.length;Mt++)e.bindFramebuffer(i.FRAMEBUFFER,Lt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+Mt,i.RENDERBUFFER,null),e.bindFramebuffer(i.FRAMEBUFFER,Lt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+Mt,i.TEXTURE_2D,null,0);e.bindFramebuffer(i.READ_FRAMEBUFFER,Lt.__webglMultisampledFramebuffer),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Lt.__webglFramebuffer);for(let Mt=0;Mt<y.length;Mt++){if(C.resolveDepthBuffer&&(C.depthBuffer&&(K|=i.DEPTH_BUFFER_BIT),C.stencilBuffer&&C.resolveStencilBuffer&&(K|=i.STENCIL_BUFFER_BIT)),gt){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,Lt.__webglColorRenderbuffer[Mt]);let Yt=n.get(y[Mt]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,Yt,0)}i.blitFramebuffer(0,0,k,nt,0,0,k,nt,K,i.NEAREST),l===!0&&(Ee.length=0,F.length=0,Ee.push(i.COLOR_ATTACHMENT0+Mt),C.depthBuffer&&C.resolveDepthBuffer===!1&&(Ee.push(tt),F.push(tt),i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,F)),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ee))}if(e.bindFramebuffer(i.READ_FRAMEBUFFER,null),e.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),gt)for(let Mt=0;Mt<y.length;Mt++){e.bindFramebuffer(i.FRAMEBUFFER,Lt.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+Mt,i.RENDERBUFFER,Lt.__webglColorRenderbuffer[Mt]);let Yt=n.get(y[Mt]).__webglTexture;e.bindFramebuffer(i.FRAMEBUFFER,Lt.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+Mt,i.TEXTURE_2D,Yt,0)}e.bindFramebuffer(i.DRAW_FRAMEBUFFER,Lt.__webglMultisampledFramebuffer)}else if(C.depthBuffer&&C.resolveDepthBuffer===!1&&l){let y=C.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[y])}}}function ie(C){return Math.min(s.maxSamples,C.samples)}function Kt(C){let y=n.get(C);return C.samples>0&&t.has("WEBGL_multisampled_render_to_texture")===!0&&y.__useRenderToTexture!==!1}function Rt(C){let y=o.render.frame;h.get(C)!==y&&(h.set(C,y),C.update())}function Se(C,y){let k=C.colorSpace,nt=C.format,K=C.type;return C.isCompressedTexture===!0||C.isVideoTexture===!0||k!==tr&&k!==os&&(ge.getTransfer(k)===we?(nt!==di||K!==Hi)&&console.warn("THREE.WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):console.error("THREE.WebGLTextures: Unsupported texture color space:",k)),y}function Ut(C){return typeof HTMLImageElement<"u"&&C instanceof HTMLImageElement?(c.width=C.naturalWidth||C.width,c.height=C.naturalHeight||C.height):typeof VideoFrame<"u"&&C instanceof VideoFrame?(c.width=C.displayWidth,c.height=C.displayHeight):(c.width=C.width,c.height=C.height),c}this.allocateTextureUnit=z,this.resetTextureUnits=V,this.setTexture2D=Z,this.setTexture2DArray=Y,this.setTexture3D=et,this.setTextureCube=j,this.rebindTextures=kt,this.setupRenderTarget=oe,this.updateRenderTargetMipmap=te,this.updateMultisampleRenderTarget=sn,this.setupDepthRenderbuffer=Vt,this.setupFrameBufferTexture=Nt,this.useMultisampledRTT=Kt}function KM(i,t){function e(n,s=os){let r,o=ge.getTransfer(s);if(n===Hi)return i.UNSIGNED_BYTE;if(n===uc)return i.UNSIGNED_SHORT_4_4_4_4;if(n===dc)return i.UNSIGNED_SHORT_5_5_5_1;if(n===Lu)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===Pu)return i.BYTE;if(n===Iu)return i.SHORT;if(n===eo)return i.UNSIGNED_SHORT;if(n===hc)return i.INT;if(n===Ds)return i.UNSIGNED_INT;if(n===Ei)return i.FLOAT;if(n===no)return i.HALF_FLOAT;if(n===Du)return i.ALPHA;if(n===Uu)return i.RGB;if(n===di)return i.RGBA;if(n===Nu)return i.LUMINANCE;if(n===Fu)return i.LUMINANCE_ALPHA;if(n===Js)return i.DEPTH_COMPONENT;if(n===Qs)return i.DEPTH_STENCIL;if(n===fc)return i.RED;if(n===pc)return i.RED_INTEGER;if(n===Ou)return i.RG;if(n===mc)return i.RG_INTEGER;if(n===gc)return i.RGBA_INTEGER;if(n===va||n===Ma||n===Sa||n===ba)if(o===we)if(r=t.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===va)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===Ma)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Sa)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===ba)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=t.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===va)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===Ma)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Sa)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===ba)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===_c||n===xc||n===yc||n===vc)if(r=t.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===_c)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===xc)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===yc)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===vc)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===Mc||n===Sc||n===bc)if(r=t.get("WEBGL_compressed_texture_etc"),r!==null){if(n===Mc||n===Sc)return o===we?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===bc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC}else return null;if(n===wc||n===Ec||n===Tc||n===Ac||n===Rc||n===Cc||n===Pc||n===Ic||n===Lc||n===Dc||n===Uc||n===Nc||n===Fc||n===Oc)if(r=t.get("WEBGL_compressed_texture_astc"),r!==null){if(n===wc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===Ec)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===Tc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===Ac)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===Rc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===Cc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Pc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Ic)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===Lc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Dc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Uc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Nc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Fc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Oc)return o===we?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===wa||n===Bc||n===kc)if(r=t.get("EXT_texture_compression_bptc"),r!==null){if(n===wa)return o===we?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Bc)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===kc)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Bu||n===zc||n===Hc||n===Vc)if(r=t.get("EXT_texture_compression_rgtc"),r!==null){if(n===wa)return r.COMPRESSED_RED_RGTC1_EXT;if(n===zc)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Hc)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Vc)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===or?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:e}}var jM={type:"move"},Ta=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new ki,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new ki,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new U,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new U),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new ki,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new U,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new U),this._grip}dispatchEvent(t){return this._targetRay!==null&&this._targetRay.dispatchEvent(t),this._grip!==null&&this._grip.dispatchEvent(t),this._hand!==null&&this._hand.dispatchEvent(t),this}connect(t){if(t&&t.hand){let e=this._hand;if(e)for(let n of t.hand.values())this._getHandJoint(e,n)}return this.dispatchEvent({type:"connected",data:t}),this}disconnect(t){return this.dispatchEvent({type:"disconnected",data:t}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(t,e,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(t&&e.session.visibilityState!=="visible-blurred"){if(c&&t.hand){o=!0;for(let x of t.hand.values()){let m=e.getJointPose(x,n),p=this._getHandJoint(c,x);m!==null&&(p.matrix.fromArray(m.transform.matrix),p.matrix.decompose(p.position,p.rotation,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=m.radius),p.visible=m!==null}let h=c.joints["index-finger-tip"],d=c.joints["thumb-tip"],u=h.position.distanceTo(d.position),f=.02,g=.005;c.inputState.pinching&&u>f+g?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:t.handedness,target:this})):!c.inputState.pinching&&u<=f-g&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:t.handedness,target:this}))}else l!==null&&t.gripSpace&&(r=e.getPose(t.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.rotation,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1));a!==null&&(s=e.getPose(t.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.rotation,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(jM)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(t,e){if(t.joints[e.jointName]===void 0){let n=new ki;n.matrixAutoUpdate=!1,n.visible=!1,t.joints[e.jointName]=n,t.add(n)}return t.joints[e.jointName]}},QM=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,tS=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,ad=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(t,e,n){if(this.texture===null){let s=new Vn,r=t.properties.get(s);r.__webglTexture=e.texture,(e.depthNear!=n.depthNear||e.depthFar!=n.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=s}}getMesh(t){if(this.texture!==null&&this.mesh===null){let e=t.cameras[0].viewport,n=new Qn({vertexShader:QM,fragmentShader:tS,uniforms:{depthColor:{value:this.texture},depthWidth:{value:e.z},depthHeight:{value:e.w}}});this.mesh=new De(new ss(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},ld=class extends Fi{constructor(t,e){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,d=null,u=null,f=null,g=null,x=new ad,m=e.getContextAttributes(),p=null,T=null,b=[],S=[],P=new It,R=null,L=new An;L.viewport=new Ve;let N=new An;N.viewport=new Ve;let E=[L,N],v=new Jl,A=null,V=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(J){let ct=b[J];return ct===void 0&&(ct=new Ta,b[J]=ct),ct.getTargetRaySpace()},this.getControllerGrip=function(J){let ct=b[J];return ct===void 0&&(ct=new Ta,b[J]=ct),ct.getGripSpace()},this.getHand=function(J){let ct=b[J];return ct===void 0&&(ct=new Ta,b[J]=ct),ct.getHandSpace()};function z(J){let ct=S.indexOf(J.inputSource);if(ct===-1)return;let Nt=b[ct];Nt!==void 0&&(Nt.update(J.inputSource,J.frame,c||o),Nt.dispatchEvent({type:J.type,data:J.inputSource}))}function W(){s.removeEventListener("select",z),s.removeEventListener("selectstart",z),s.removeEventListener("selectend",z),s.removeEventListener("squeeze",z),s.removeEventListener("squeezestart",z),s.removeEventListener("squeezeend",z),s.removeEventListener("end",W),s.removeEventListener("inputsourceschange",Z);for(let J=0;J<b.length;J++){let ct=S[J];ct!==null&&(S[J]=null,b[J].disconnect(ct))}A=null,V=null,x.reset(),t.setRenderTarget(p),f=null,u=null,d=null,s=null,T=null,Wt.stop(),n.isPresenting=!1,t.setPixelRatio(R),t.setSize(P.width,P.height,!1),n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(J){r=J,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(J){a=J,n.isPresenting===!0&&console.warn("THREE.WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(J){c=J},this.getBaseLayer=function(){return u!==null?u:f},this.getBinding=function(){return d},this.getFrame=function(){return g},this.getSession=function(){return s},this.setSession=async function(J){if(s=J,s!==null){if(p=t.getRenderTarget(),s.addEventListener("select",z),s.addEventListener("selectstart",z),s.addEventListener("selectend",z),s.addEventListener("squeeze",z),s.addEventListener("squeezestart",z),s.addEventListener("squeezeend",z),s.addEventListener("end",W),s.addEventListener("inputsourceschange",Z),m.xrCompatible!==!0&&await e.makeXRCompatible(),R=t.getPixelRatio(),t.getSize(P),s.renderState.layers===void 0){let ct={antialias:m.antialias,alpha:!0,depth:m.depth,stencil:m.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,e,ct),s.updateRenderState({baseLayer:f}),t.setPixelRatio(1),t.setSize(f.framebufferWidth,f.framebufferHeight,!1),T=new Oi(f.framebufferWidth,f.framebufferHeight,{format:di,type:Hi,colorSpace:t.outputColorSpace,stencilBuffer:m.stencil})}else{let ct=null,Nt=null,dt=null;m.depth&&(dt=m.stencil?e.DEPTH24_STENCIL8:e.DEPTH_COMPONENT24,ct=m.stencil?Qs:Js,Nt=m.stencil?or:Ds);let Ft={colorFormat:e.RGBA8,depthFormat:dt,scaleFactor:r};d=new XRWebGLBinding(s,e),u=d.createProjectionLayer(Ft),s.updateRenderState({layers:[u]}),t.setPixelRatio(1),t.setSize(u.textureWidth,u.textureHeight,!1),T=new Oi(u.textureWidth,u.textureHeight,{format:di,type:Hi,depthTexture:new ia(u.textureWidth,u.textureHeight,Nt,void 0,void 0,void 0,void 0,void 0,void 0,ct),stencilBuffer:m.stencil,colorSpace:t.outputColorSpace,samples:m.antialias?4:0,resolveDepthBuffer:u.ignoreDepthValues===!1})}T.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),Wt.setContext(s),Wt.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return x.getDepthTexture()};function Z(J){for(let ct=0;ct<J.removed.length;ct++){let Nt=J.removed[ct],dt=S.indexOf(Nt);dt>=0&&(S[dt]=null,b[dt].disconnect(Nt))}for(let ct=0;ct<J.added.length;ct++){let Nt=J.added[ct],dt=S.indexOf(Nt);if(dt===-1){for(let Vt=0;Vt<b.length;Vt++)if(Vt>=S.length){S.push(Nt),dt=Vt;break}else if(S[Vt]===null){S[Vt]=Nt,dt=Vt;break}if(dt===-1)break}let Ft=b[dt];Ft&&Ft.connect(Nt)}}let Y=new U,et=new U;function j(J,ct,Nt){Y.setFromMatrixPosition(ct.matrixWorld),et.setFromMatrixPosition(Nt.matrixWorld);let dt=Y.distanceTo(et),Ft=ct.projectionMatrix.elements,Vt=Nt.projectionMatrix.elements,kt=Ft[14]/(Ft[10]-1),oe=Ft[14]/(Ft[10]+1),te=(Ft[9]+1)/Ft[5],Ee=(Ft[9]-1)/Ft[5],F=(Ft[8]-1)/Ft[0],sn=(Vt[8]+1)/Vt[0],ie=kt*F,Kt=kt*sn,Rt=dt/(-F+sn),Se=Rt*-F;if(ct.matrixWorld.decompose(J.position,J.quaternion,J.scale),J.translateX(Se),J.translateZ(Rt),J.matrixWorld.compose(J.position,J.quaternion,J.scale),J.matrixWorldInverse.copy(J.matrixWorld).invert(),Ft[10]===-1)J.projectionMatrix.copy(ct.projectionMatrix),J.projectionMatrixInverse.copy(ct.projectionMatrixInverse);else{let Ut=kt+Rt,C=oe+Rt,y=ie-Se,k=Kt+(dt-Se),nt=te*oe/C*Ut,K=Ee*oe/C*Ut;J.projectionMatrix.makePerspective(y,k,nt,K,Ut,C),J.projectionMatrixInverse.copy(J.projectionMatrix).invert()}}function ut(J,ct){ct===null?J.matrixWorld.copy(J.matrix):J.matrixWorld.multiplyMatrices(ct.matrixWorld,J.matrix),J.matrixWorldInverse.copy(J.matrixWorld).invert()}this.updateCamera=function(J){if(s===null)return;let ct=J.near,Nt=J.far;x.texture!==null&&(x.depthNear>0&&(ct=x.depthNear),x.depthFar>0&&(Nt=x.depthFar)),v.near=N.near=L.near=ct,v.far=N.far=L.far=Nt,(A!==v.near||V!==v.far)&&(s.updateRenderState({depthNear:v.near,depthFar:v.far}),A=v.near,V=v.far),L.layers.mask=J.layers.mask|2,N.layers.mask=J.layers.mask|4,v.layers.mask=L.layers.mask|N.layers.mask;let dt=J.parent,Ft=v.cameras;ut(v,dt);for(let Vt=0;Vt<Ft.length;Vt++)ut(Ft[Vt],dt);Ft.length===2?j(v,L,N):v.projectionMatrix.copy(L.projectionMatrix),ot(J,v,dt)};function ot(J,ct,Nt){Nt===null?J.matrix.copy(ct.matrixWorld):(J.matrix.copy(Nt.matrixWorld),J.matrix.invert(),J.matrix.multiply(ct.matrixWorld)),J.matrix.decompose(J.position,J.quaternion,J.scale),J.updateMatrixWorld(!0),J.projectionMatrix.copy(ct.projectionMatrix),J.projectionMatrixInverse.copy(ct.projectionMatrixInverse),J.isPerspectiveCamera&&(J.fov=Zr*2*Math.atan(1/J.projectionMatrix.elements[5]),J.zoom=1)}this.getCamera=function(){return v},this.getFoveation=function(){if(!(u===null&&f===null))return l},this.setFoveation=function(J){l=J,u!==null&&(u.fixedFoveation=J),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=J)},this.hasDepthSensing=function(){return x.texture!==null},this.getDepthSensingMesh=function(){return x.getMesh(v)};let mt=null;function ft(J,ct){if(h=ct.getViewerPose(c||o),g=ct,h!==null){let Nt=h.views;f!==null&&(t.setRenderTargetFramebuffer(T,f.framebuffer),t.setRenderTarget(T));let dt=!1;Nt.length!==v.cameras.length&&(v.cameras.length=0,dt=!0);for(let Vt=0;Vt<Nt.length;Vt++){let kt=Nt[Vt],oe=null;if(f!==null)oe=f.getViewport(kt);else{let Ee=d.getViewSubImage(u,kt);oe=Ee.viewport,Vt===0&&(t.setRenderTargetTextures(T,Ee.colorTexture,u.ignoreDepthValues?void 0:Ee.depthStencilTexture),t.setRenderTarget(T))}let te=E[Vt];te===void 0&&(te=new An,te.layers.enable(Vt),te.viewport=new Ve,E[Vt]=te),te.matrix.fromArray(kt.transform.matrix),te.matrix.decompose(te.position,te.quaternion,te.scale),te.projectionMatrix.fromArray(kt.projectionMatrix),te.projectionMatrixInverse.copy(te.projectionMatrix).invert(),te.viewport.set(oe.x,oe.y,oe.width,oe.height),Vt===0&&(v.matrix.copy(te.matrix),v.matrix.decompose(v.position,v.quaternion,v.scale)),dt===!0&&v.cameras.push(te)}let Ft=s.enabledFeatures;if(Ft&&Ft.includes("depth-sensing")){let Vt=d.getDepthInformation(Nt[0]);Vt&&Vt.isValid&&Vt.texture&&x.init(t,Vt,s.renderState)}}for(let Nt=0;Nt<b.length;Nt++){let dt=S[Nt],Ft=b[Nt];dt!==null&&Ft!==void 0&&Ft.update(dt,ct,c||o)}mt&&mt(J,ct),ct.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:ct}),g=null}let Wt=new vm;Wt.setAnimationLoop(ft),this.setAnimationLoop=function(J){mt=J},this.dispose=function(){}}},hr=new ai,eS=new ve;function nS(i,t){function e(m,p){m.matrixAutoUpdate===!0&&m.updateMatrix(),p.value.copy(m.matrix)}function n(m,p){p.color.getRGB(m.fogColor.value,Wu(i)),p.isFog?(m.fogNear.value=p.near,m.fogFar.value=p.far):p.isFogExp2&&(m.fogDensity.value=p.density)}function s(m,p,T,b,S){p.isMeshBasicMaterial||p.isMeshLambertMaterial?r(m,p):p.isMeshToonMaterial?(r(m,p),d(m,p)):p.isMeshPhongMaterial?(r(m,p),h(m,p)):p.isMeshStandardMaterial?(r(m,p),u(m,p),p.isMeshPhysicalMaterial&&f(m,p,S)):p.isMeshMatcapMaterial?(r(m,p),g(m,p)):p.isMeshDepthMaterial?r(m,p):p.isMeshDistanceMaterial?(r(m,p),x(m,p)):p.isMeshNormalMaterial?r(m,p):p.isLineBasicMaterial?(o(m,p),p.isLineDashedMaterial&&a(m,p)):p.isPointsMaterial?l(m,p,T,b):p.isSpriteMaterial?c(m,p):p.isShadowMaterial?(m.color.value.copy(p.color),m.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(m,p){m.opacity.value=p.opacity,p.color&&m.diffuse.value.copy(p.color),p.emissive&&m.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.bumpMap&&(m.bumpMap.value=p.bumpMap,e(p.bumpMap,m.bumpMapTransform),m.bumpScale.value=p.bumpScale,p.side===Fn&&(m.bumpScale.value*=-1)),p.normalMap&&(m.normalMap.value=p.normalMap,e(p.normalMap,m.normalMapTransform),m.normalScale.value.copy(p.normalScale),p.side===Fn&&m.normalScale.value.negate()),p.displacementMap&&(m.displacementMap.value=p.displacementMap,e(p.displacementMap,m.displacementMapTransform),m.displacementScale.value=p.displacementScale,m.displacementBias.value=p.displacementBias),p.emissiveMap&&(m.emissiveMap.value=p.emissiveMap,e(p.emissiveMap,m.emissiveMapTransform)),p.specularMap&&(m.specularMap.value=p.specularMap,e(p.specularMap,m.specularMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest);let T=t.get(p),b=T.envMap,S=T.envMapRotation;b&&(m.envMap.value=b,hr.copy(S),hr.x*=-1,hr.y*=-1,hr.z*=-1,b.isCubeTexture&&b.isRenderTargetTexture===!1&&(hr.y*=-1,hr.z*=-1),m.envMapRotation.value.setFromMatrix4(eS.makeRotationFromEuler(hr)),m.flipEnvMap.value=b.isCubeTexture&&b.isRenderTargetTexture===!1?-1:1,m.reflectivity.value=p.reflectivity,m.ior.value=p.ior,m.refractionRatio.value=p.refractionRatio),p.lightMap&&(m.lightMap.value=p.lightMap,m.lightMapIntensity.value=p.lightMapIntensity,e(p.lightMap,m.lightMapTransform)),p.aoMap&&(m.aoMap.value=p.aoMap,m.aoMapIntensity.value=p.aoMapIntensity,e(p.aoMap,m.aoMapTransform))}function o(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform))}function a(m,p){m.dashSize.value=p.dashSize,m.totalSize.value=p.dashSize+p.gapSize,m.scale.value=p.scale}function l(m,p,T,b){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.size.value=p.size*T,m.scale.value=b*.5,p.map&&(m.map.value=p.map,e(p.map,m.uvTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function c(m,p){m.diffuse.value.copy(p.color),m.opacity.value=p.opacity,m.rotation.value=p.rotation,p.map&&(m.map.value=p.map,e(p.map,m.mapTransform)),p.alphaMap&&(m.alphaMap.value=p.alphaMap,e(p.alphaMap,m.alphaMapTransform)),p.alphaTest>0&&(m.alphaTest.value=p.alphaTest)}function h(m,p){m.specular.value.copy(p.specular),m.shininess.value=Math.max(p.shininess,1e-4)}function d(m,p){p.gradientMap&&(m.gradientMap.value=p.gradientMap)}function u(m,p){m.metalness.value=p.metalness,p.metalnessMap&&(m.metalnessMap.value=p.metalnessMap,e(p.metalnessMap,m.metalnessMapTransform)),m.roughness.value=p.roughness,p.roughnessMap&&(m.roughnessMap.value=p.roughnessMap,e(p.roughnessMap,m.roughnessMapTransform)),p.envMap&&(m.envMapIntensity.value=p.envMapIntensity)}function f(m,p,T){m.ior.value=p.ior,p.sheen>0&&(m.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),m.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(m.sheenColorMap.value=p.sheenColorMap,e(p.sheenColorMap,m.sheenColorMapTransform)),p.sheenRoughnessMap&&(m.sheenRoughnessMap.value=p.sheenRoughnessMap,e(p.sheenRoughnessMap,m.sheenRoughnessMapTransform))),p.clearcoat>0&&(m.clearcoat.value=p.clearcoat,m.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(m.clearcoatMap.value=p.clearcoatMap,e(p.clearcoatMap,m.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(m.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,e(p.clearcoatRoughnessMap,m.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(m.clearcoatNormalMap.value=p.clearcoatNormalMap,e(p.clearcoatNormalMap,m.clearcoatNormalMapTransform),m.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===Fn&&m.clearcoatNormalScale.value.negate())),p.dispersion>0&&(m.dispersion.value=p.dispersion),p.iridescence>0&&(m.iridescence.value=p.iridescence,m.iridescenceIOR.value=p.iridescenceIOR,m.iridescenceThicknessMinimum.value=p.iridescenceThicknessRange[0],m.iridescenceThicknessMaximum.value=p.iridescenceThicknessRange[1],p.iridescenceMap&&(m.iridescenceMap.value=p.iridescenceMap,e(p.iridescenceMap,m.iridescenceMapTransform)),p.iridescenceThicknessMap&&(m.iridescenceThicknessMap.value=p.iridescenceThicknessMap,e(p.iridescenceThicknessMap,m.iridescenceThicknessMapTransform))),p.transmission>0&&(m.transmission.value=p.transmission,m.transmissionSamplerMap.value=T.texture,m.transmissionSamplerSize.value.set(T.width,T.height),p.transmissionMap&&(m.transmissionMap.value=p.transmissionMap,e(p.transmissionMap,m.transmissionMapTransform)),m.thickness.value=p.thickness,p.thicknessMap&&(m.thicknessMap.value=p.thicknessMap,e(p.thicknessMap,m.thicknessMapTransform)),m.attenuationDistance.value=p.attenuationDistance,m.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(m.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(m.anisotropyMap.value=p.anisotropyMap,e(p.anisotropyMap,m.anisotropyMapTransform))),m.specularIntensity.value=p.specularIntensity,m.specularColor.value.copy(p.specularColor),p.specularColorMap&&(m.specularColorMap.value=p.specularColorMap,e(p.specularColorMap,m.specularColorMapTransform)),p.specularIntensityMap&&(m.specularIntensityMap.value=p.specularIntensityMap,e(p.specularIntensityMap,m.specularIntensityMapTransform))}function g(m,p){p.matcap&&(m.matcap.value=p.matcap)}function x(m,p){let T=t.get(p).light;m.referencePosition.value.setFromMatrixPosition(T.matrixWorld),m.nearDistance.value=T.shadow.camera.near,m.farDistance.value=T.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function iS(i,t,e,n){let s={},r={},o=[],a=i.getParameter(i.MAX_UNIFORM_BUFFER_BINDINGS);function l(T,b){let S=b.program;n.uniformBlockBinding(T,S)}function c(T,b){let S=s[T.id];S===void 0&&(g(T),S=h(T),s[T.id]=S,T.addEventListener("dispose",m));let P=b.program;n.updateUBOMapping(T,P);let R=t.render.frame;r[T.id]!==R&&(u(T),r[T.id]=R)}function h(T){let b=d();T.__bindingPointIndex=b;let S=i.createBuffer(),P=T.__size,R=T.usage;return i.bindBuffer(i.UNIFORM_BUFFER,S),i.bufferData(i.UNIFORM_BUFFER,P,R),i.bindBuffer(i.UNIFORM_BUFFER,null),i.bindBufferBase(i.UNIFORM_BUFFER,b,S),S}function d(){for(let T=0;T<a;T++)if(o.indexOf(T)===-1)return o.push(T),T;return console.error("THREE.WebGLRenderer: Maximum number of simultaneously usable uniforms groups reached."),0}function u(T){let b=s[T.id],S=T.uniforms,P=T.__cache;i.bindBuffer(i.UNIFORM_BUFFER,b);for(let R=0,L=S.length;R<L;R++){let N=Array.isArray(S[R])?S[R]:[S[R]];for(let E=0,v=N.length;E<v;E++){let A=N[E];if(f(A,R,E,P)===!0){let V=A.__offset,z=Array.isArray(A.value)?A.value:[A.value],W=0;for(let Z=0;Z<z.length;Z++){let Y=z[Z],et=x(Y);typeof Y=="number"||typeof Y=="boolean"?(A.__data[0]=Y,i.bufferSubData(i.UNIFORM_BUFFER,V+W,A.__data)):Y.isMatrix3?(A.__data[0]=Y.elements[0],A.__data[1]=Y.elements[1],A.__data[2]=Y.elements[2],A.__data[3]=0,A.__data[4]=Y.elements[3],A.__data[5]=Y.elements[4],A.__data[6]=Y.elements[5],A.__data[7]=0,A.__data[8]=Y.elements[6],A.__data[9]=Y.elements[7],A.__data[10]=Y.elements[8],A.__data[11]=0):(Y.toArray(A.__data,W),W+=et.storage/Float32Array.BYTES_PER_ELEMENT)}i.bufferSubData(i.UNIFORM_BUFFER,V,A.__data)}}}i.bindBuffer(i.UNIFORM_BUFFER,null)}function f(T,b,S,P){let R=T.value,L=b+"_"+S;if(P[L]===void 0)return typeof R=="number"||typeof R=="boolean"?P[L]=R:P[L]=R.clone(),!0;{let N=P[L];if(typeof R=="number"||typeof R=="boolean"){if(N!==R)return P[L]=R,!0}else if(N.equals(R)===!1)return N.copy(R),!0}return!1}function g(T){let b=T.uniforms,S=0,P=16;for(let L=0,N=b.length;L<N;L++){let E=Array.isArray(b[L])?b[L]:[b[L]];for(let v=0,A=E.length;v<A;v++){let V=E[v],z=Array.isArray(V.value)?V.value:[V.value];for(let W=0,Z=z.length;W<Z;W++){let Y=z[W],et=x(Y),j=S%P,ut=j%et.boundary,ot=j+ut;S+=ut,ot!==0&&P-ot<et.storage&&(S+=P-ot),V.__data=new Float32Array(et.storage/Float32Array.BYTES_PER_ELEMENT),V.__offset=S,S+=et.storage}}}let R=S%P;return R>0&&(S+=P-R),T.__size=S,T.__cache={},this}function x(T){let b={boundary:0,storage:0};return typeof T=="number"||typeof T=="boolean"?(b.boundary=4,b.storage=4):T.isVector2?(b.boundary=8,b.storage=8):T.isVector3||T.isColor?(b.boundary=16,b.storage=12):T.isVector4?(b.boundary=16,b.storage=16):T.isMatrix3?(b.boundary=48,b.storage=48):T.isMatrix4?(b.boundary=64,b.storage=64):T.isTexture?console.warn("THREE.WebGLRenderer: Texture samplers can not be part of an uniforms group."):console.warn("THREE.WebGLRenderer: Unsupported uniform value type.",T),b}function m(T){let b=T.target;b.removeEventListener("dispose",m);let S=o.indexOf(b.__bindingPointIndex);o.splice(S,1),i.deleteBuffer(s[b.id]),delete s[b.id],delete r[b.id]}function p(){for(let T in s)i.deleteBuffer(s[T]);o=[],s={},r={}}return{bind:l,update:c,dispose:p}}var Zc=class{constructor(t={}){let{canvas:e=Wp(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:d=!1,reverseDepthBuffer:u=!1}=t;this.isWebGLRenderer=!0;let f;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");f=n.getContextAttributes().alpha}else f=o;let g=new Uint32Array(4),x=new Int32Array(4),m=null,p=null,T=[],b=[];this.domElement=e,this.debug={checkShaderErrors:!0,onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this._outputColorSpace=jn,this.toneMapping=wi,this.toneMappingExposure=1;let S=this,P=!1,R=0,L=0,N=null,E=-1,v=null,A=new Ve,V=new Ve,z=null,W=new Xt(0),Z=0,Y=e.width,et=e.height,j=1,ut=null,ot=null,mt=new Ve(0,0,Y,et),ft=new Ve(0,0,Y,et),Wt=!1,J=new jr,ct=!1,Nt=!1,dt=new ve,Ft=new ve,Vt=new U,kt=new Ve,oe={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},te=!1;function Ee(){return N===null?j:1}let F=n;function sn(w,H){return e.getContext(w,H)}try{let w={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:d};if("setAttribute"in e&&e.setAttribute("data-engine",`three.js r${Kl}`),e.addEventListener("webglcontextlost",rt,!1),e.addEventListener("webglcontextrestored",Et,!1),e.addEventListener("webglcontextcreationerror",bt,!1),F===null){let H="webgl2";if(F=sn(H,w),F===null)throw sn(H)?new Error("Error creating WebGL context with your selected attributes."):new Error("Error creating WebGL context.")}}catch(w){throw console.error("THREE.WebGLRenderer: "+w.message),w}let ie,Kt,Rt,Se,Ut,C,y,k,nt,K,tt,Lt,gt,Mt,Yt,at,_t,Ot,zt,St,ne,$t,ye,O;function yt(){ie=new vv(F),ie.init(),$t=new KM(F,ie),Kt=new pv(F,ie,t,$t),Rt=new ZM(F,ie),Kt.reverseDepthBuffer&&u&&Rt.buffers.depth.setReversed(!0),Se=new bv(F),Ut=new FM,C=new JM(F,ie,Rt,Ut,Kt,$t,Se),y=new gv(S),k=new yv(S),nt=new P_(F),ye=new dv(F,nt),K=new Mv(F,nt,Se,ye),tt=new Ev(F,K,nt,Se),zt=new wv(F,Kt,C),at=new mv(Ut),Lt=new NM(S,y,k,ie,Kt,ye,at),gt=new nS(S,Ut),Mt=new BM,Yt=new WM(ie),Ot=new uv(S,y,k,Rt,tt,f,l),_t=new YM(S,tt,Kt),O=new iS(F,Se,Kt,Rt),St=new fv(F,ie,Se),ne=new Sv(F,ie,Se),Se.programs=Lt.programs,S.capabilities=Kt,S.extensions=ie,S.properties=Ut,S.renderLists=Mt,S.shadowMap=_t,S.state=Rt,S.info=Se}yt();let Q=new ld(S,F);this.xr=Q,this.getContext=function(){return F},this.getContextAttributes=function(){return F.getContextAttributes()},this.forceContextLoss=function(){let w=ie.get("WEBGL_lose_context");w&&w.loseContext()},this.forceContextRestore=function(){let w=ie.get("WEBGL_lose_context");w&&w.restoreContext()},this.getPixelRatio=function(){return j},this.setPixelRatio=function(w){w!==void 0&&(j=w,this.setSize(Y,et,!1))},this.getSize=function(w){return w.set(Y,et)},this.setSize=function(w,H,X=!0){if(Q.isPresenting){console.warn("THREE.WebGLRenderer: Can't change size while VR device is presenting.");return}Y=w,et=H,e.width=Math.floor(w*j),e.height=Math.floor(H*j),X===!0&&(e.style.width=w+"px",e.style.height=H+"px"),this.setViewport(0,0,w,H)},this.getDrawingBufferSize=function(w){return w.set(Y*j,et*j).floor()},this.setDrawingBufferSize=function(w,H,X){Y=w,et=H,j=X,e.width=Math.floor(w*X),e.height=Math.floor(H*X),this.setViewport(0,0,w,H)},this.getCurrentViewport=function(w){return w.copy(A)},this.getViewport=function(w){return w.copy(mt)},this.setViewport=function(w,H,X,$){w.isVector4?mt.set(w.x,w.y,w.z,w.w):mt.set(w,H,X,$),Rt.viewport(A.copy(mt).multiplyScalar(j).round())},this.getScissor=function(w){return w.copy(ft)},this.setScissor=function(w,H,X,$){w.isVector4?ft.set(w.x,w.y,w.z,w.w):ft.set(w,H,X,$),Rt.scissor(V.copy(ft).multiplyScalar(j).round())},this.getScissorTest=function(){return Wt},this.setScissorTest=function(w){Rt.setScissorTest(Wt=w)},this.setOpaqueSort=function(w){ut=w},this.setTransparentSort=function(w){ot=w},this.getClearColor=function(w){return w.copy(Ot.getClearColor())},this.setClearColor=function(){Ot.setClearColor.apply(Ot,arguments)},this.getClearAlpha=function(){return Ot.getClearAlpha()},this.setClearAlpha=function(){Ot.setClearAlpha.apply(Ot,arguments)},this.clear=function(w=!0,H=!0,X=!0){let $=0;if(w){let G=!1;if(N!==null){let ht=N.texture.format;G=ht===gc||ht===mc||ht===pc}if(G){let ht=N.texture.type,xt=ht===Hi||ht===Ds||ht===eo||ht===or||ht===uc||ht===dc,wt=Ot.getClearColor(),Dt=Ot.getClearAlpha(),qt=wt.r,Zt=wt.g,Ht=wt.b;xt?(g[0]=qt,g[1]=Zt,g[2]=Ht,g[3]=Dt,F.clearBufferuiv(F.COLOR,0,g)):(x[0]=qt,x[1]=Zt,x[2]=Ht,x[3]=Dt,F.clearBufferiv(F.COLOR,0,x))}else $|=F.COLOR_BUFFER_BIT}H&&($|=F.DEPTH_BUFFER_BIT),X&&($|=F.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),F.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.dispose=function(){e.removeEventListener("webglcontextlost",rt,!1),e.removeEventListener("webglcontextrestored",Et,!1),e.removeEventListener("webglcontextcreationerror",bt,!1),Ot.dispose(),Mt.dispose(),Yt.dispose(),Ut.dispose(),y.dispose(),k.dispose(),tt.dispose(),ye.dispose(),O.dispose(),Lt.dispose(),Q.dispose(),Q.removeEventListener("sessionstart",Xi),Q.removeEventListener("sessionend",qi),Je.stop()};function rt(w){w.preventDefault(),console.log("THREE.WebGLRenderer: Context Lost."),P=!0}function Et(){console.log("THREE.WebGLRenderer: Context Restored."),P=!1;let w=Se.autoReset,H=_t.enabled,X=_t.autoUpdate,$=_t.needsUpdate,G=_t.type;yt(),Se.autoReset=w,_t.enabled=H,_t.autoUpdate=X,_t.needsUpdate=$,_t.type=G}function bt(w){console.error("THREE.WebGLRenderer: A WebGL context could not be created. Reason: ",w.statusMessage)}function jt(w){let H=w.target;H.removeEventListener("dispose",jt),ke(H)}function ke(w){Ct(w),Ut.remove(w)}function Ct(w){let H=Ut.get(w).programs;H!==void 0&&(H.forEach(function(X){Lt.releaseProgram(X)}),w.isShaderMaterial&&Lt.releaseShaderCache(w))}this.renderBufferDirect=function(w,H,X,$,G,ht){H===null&&(H=oe);let xt=G.isMesh&&G.matrixWorld.determinant()<0,wt=Vs(w,H,X,$,G);Rt.setMaterial($,xt);let Dt=X.index,qt=1;if($.wireframe===!0){if(Dt=K.getWireframeAttribute(X),Dt===void 0)return;qt=2}let Zt=X.drawRange,Ht=X.attributes.position,le=Zt.start*qt,pe=(Zt.start+Zt.count)*qt;ht!==null&&(le=Math.max(le,ht.start*qt),pe=Math.min(pe,(ht.start+ht.count)*qt)),Dt!==null?(le=Math.max(le,0),pe=Math.min(pe,Dt.count)):Ht!=null&&(le=Math.max(le,0),pe=Math.min(pe,Ht.count));let ze=pe-le;if(ze<0||ze===1/0)return;ye.setup(G,$,wt,X,Dt);let _e,de=St;if(Dt!==null&&(_e=nt.get(Dt),de=ne,de.setIndex(_e)),G.isMesh)$.wireframe===!0?(Rt.setLineWidth($.wireframeLinewidth*Ee()),de.setMode(F.LINES)):de.setMode(F.TRIANGLES);else if(G.isLine){let Gt=$.linewidth;Gt===void 0&&(Gt=1),Rt.setLineWidth(Gt*Ee()),G.isLineSegments?de.setMode(F.LINES):G.isLineLoop?de.setMode(F.LINE_LOOP):de.setMode(F.LINE_STRIP)}else G.isPoints?de.setMode(F.POINTS):G.isSprite&&de.setMode(F.TRIANGLES);if(G.isBatchedMesh)if(G._multiDrawInstances!==null)de.renderMultiDrawInstances(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount,G._multiDrawInstances);else if(ie.get("WEBGL_multi_draw"))de.renderMultiDraw(G._multiDrawStarts,G._multiDrawCounts,G._multiDrawCount);else{let Gt=G._multiDrawStarts,qe=G._multiDrawCounts,me=G._multiDrawCount,$n=Dt?nt.get(Dt).bytesPerElement:1,us=Ut.get($).currentProgram.getUniforms();for(let Pn=0;Pn<me;Pn++)us.setValue(F,"_gl_DrawID",Pn),de.render(Gt[Pn]/$n,qe[Pn])}else if(G.isInstancedMesh)de.renderInstances(le,ze,G.count);else if(X.isInstancedBufferGeometry){let Gt=X._maxInstanceCount!==void 0?X._maxInstanceCount:1/0,qe=Math.min(X.instanceCount,Gt);de.renderInstances(le,ze,qe)}else de.render(le,ze)};function ae(w,H,X){w.transparent===!0&&w.side===bn&&w.forceSinglePass===!1?(w.side=Fn,w.needsUpdate=!0,br(w,H,X),w.side=ns,w.needsUpdate=!0,br(w,H,X),w.side=bn):br(w,H,X)}this.compile=function(w,H,X=null){X===null&&(X=w),p=Yt.get(X),p.init(H),b.push(p),X.traverseVisible(function(G){G.isLight&&G.layers.test(H.layers)&&(p.pushLight(G),G.castShadow&&p.pushShadow(G))}),w!==X&&w.traverseVisible(function(G){G.isLight&&G.layers.test(H.layers)&&(p.pushLight(G),G.castShadow&&p.pushShadow(G))}),p.setupLights();let $=new Set;return w.traverse(function(G){if(!(G.isMesh||G.isPoints||G.isLine||G.isSprite))return;let ht=G.material;if(ht)if(Array.isArray(ht))for(let xt=0;xt<ht.length;xt++){let wt=ht[xt];ae(wt,X,G),$.add(wt)}else ae(ht,X,G),$.add(ht)}),b.pop(),p=null,$},this.compileAsync=function(w,H,X=null){let $=this.compile(w,H,X);return new Promise(G=>{function ht(){if($.forEach(function(xt){Ut.get(xt).currentProgram.isReady()&&$.delete(xt)}),$.size===0){G(w);return}setTimeout(ht,10)}ie.get("KHR_parallel_shader_compile")!==null?ht():setTimeout(ht,10)})};let Te=null;function pn(w){Te&&Te(w)}function Xi(){Je.stop()}function qi(){Je.start()}let Je=new vm;Je.setAnimationLoop(pn),typeof self<"u"&&Je.setContext(self),this.setAnimationLoop=function(w){Te=w,Q.setAnimationLoop(w),w===null?Je.stop():Je.start()},Q.addEventListener("sessionstart",Xi),Q.addEventListener("sessionend",qi),this.render=function(w,H){if(H!==void 0&&H.isCamera!==!0){console.error("THREE.WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(P===!0)return;if(w.matrixWorldAutoUpdate===!0&&w.updateMatrixWorld(),H.parent===null&&H.matrixWorldAutoUpdate===!0&&H.updateMatrixWorld(),Q.enabled===!0&&Q.isPresenting===!0&&(Q.cameraAutoUpdate===!0&&Q.updateCamera(H),H=Q.getCamera()),w.isScene===!0&&w.onBeforeRender(S,w,H,N),p=Yt.get(w,b.length),p.init(H),b.push(p),Ft.multiplyMatrices(H.projectionMatrix,H.matrixWorldInverse),J.setFromProjectionMatrix(Ft),Nt=this.localClippingEnabled,ct=at.init(this.clippingPlanes,Nt),m=Mt.get(w,T.length),m.init(),T.push(m),Q.enabled===!0&&Q.isPresenting===!0){let ht=S.xr.getDepthSensingMesh();ht!==null&&Ci(ht,H,-1/0,S.sortObjects)}Ci(w,H,0,S.sortObjects),m.finish(),S.sortObjects===!0&&m.sort(ut,ot),te=Q.enabled===!1||Q.isPresenting===!1||Q.hasDepthSensing()===!1,te&&Ot.addToRenderList(m,w),this.info.render.frame++,ct===!0&&at.beginShadows();let X=p.state.shadowsArray;_t.render(X,w,H),ct===!0&&at.endShadows(),this.info.autoReset===!0&&this.info.reset();let $=m.opaque,G=m.transmissive;if(p.setupLights(),H.isArrayCamera){let ht=H.cameras;if(G.length>0)for(let xt=0,wt=ht.length;xt<wt;xt++){let Dt=ht[xt];Eo($,G,w,Dt)}te&&Ot.render(w);for(let xt=0,wt=ht.length;xt<wt;xt++){let Dt=ht[xt];Yi(m,w,Dt,Dt.viewport)}}else G.length>0&&Eo($,G,w,H),te&&Ot.render(w),Yi(m,w,H);N!==null&&(C.updateMultisampleRenderTarget(N),C.updateRenderTargetMipmap(N)),w.isScene===!0&&w.onAfterRender(S,w,H),ye.resetDefaultState(),E=-1,v=null,b.pop(),b.length>0?(p=b[b.length-1],ct===!0&&at.setGlobalState(S.clippingPlanes,p.state.camera)):p=null,T.pop(),T.length>0?m=T[T.length-1]:m=null};function Ci(w,H,X,$){if(w.visible===!1)return;if(w.layers.test(H.layers)){if(w.isGroup)X=w.renderOrder;else if(w.isLOD)w.autoUpdate===!0&&w.update(H);else if(w.isLight)p.pushLight(w),w.castShadow&&p.pushShadow(w);else if(w.isSprite){if(!w.frustumCulled||J.intersectsSprite(w)){$&&kt.setFromMatrixPosition(w.matrixWorld).applyMatrix4(Ft);let xt=tt.update(w),wt=w.material;wt.visible&&m.push(w,xt,wt,X,kt.z,null)}}else if((w.isMesh||w.isLine||w.isPoints)&&(!w.frustumCulled||J.intersectsObject(w))){let xt=tt.update(w),wt=w.material;if($&&(w.boundingSphere!==void 0?(w.boundingSphere===null&&w.computeBoundingSphere(),kt.copy(w.boundingSphere.center)):(xt.boundingSphere===null&&xt.computeBoundingSphere(),kt.copy(xt.boundingSphere.center)),kt.applyMatrix4(w.matrixWorld).applyMatrix4(Ft)),Array.isArray(wt)){let Dt=xt.groups;for(let qt=0,Zt=Dt.length;qt<Zt;qt++){let Ht=Dt[qt],le=wt[Ht.materialIndex];le&&le.visible&&m.push(w,xt,le,X,kt.z,Ht)}}else wt.visible&&m.push(w,xt,wt,X,kt.z,null)}}let ht=w.children;for(let xt=0,wt=ht.length;xt<wt;xt++)Ci(ht[xt],H,X,$)}function Yi(w,H,X,$){let G=w.opaque,ht=w.transmissive,xt=w.transparent;p.setupLightsView(X),ct===!0&&at.setGlobalState(S.clippingPlanes,X),$&&Rt.viewport(A.copy($)),G.length>0&&Hs(G,H,X),ht.length>0&&Hs(ht,H,X),xt.length>0&&Hs(xt,H,X),Rt.buffers.depth.setTest(!0),Rt.buffers.depth.setMask(!0),Rt.buffers.color.setMask(!0),Rt.setPolygonOffset(!1)}function Eo(w,H,X,$){if((X.isScene===!0?X.overrideMaterial:null)!==null)return;p.state.transmissionRenderTarget[$.id]===void 0&&(p.state.transmissionRenderTarget[$.id]=new Oi(1,1,{generateMipmaps:!0,type:ie.has("EXT_color_buffer_half_float")||ie.has("EXT_color_buffer_float")?no:Hi,minFilter:Ls,samples:4,stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,colorSpace:ge.workingColorSpace}));let ht=p.state.transmissionRenderTarget[$.id],xt=$.viewport||A;ht.setSize(xt.z,xt.w);let wt=S.getRenderTarget();S.setRenderTarget(ht),S.getClearColor(W),Z=S.getClearAlpha(),Z<1&&S.setClearColor(16777215,.5),S.clear(),te&&Ot.render(X);let Dt=S.toneMapping;S.toneMapping=wi;let qt=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),p.setupLightsView($),ct===!0&&at.setGlobalState(S.clippingPlanes,$),Hs(w,X,$),C.updateMultisampleRenderTarget(ht),C.updateRenderTargetMipmap(ht),ie.has("WEBGL_multisampled_render_to_texture")===!1){let Zt=!1;for(let Ht=0,le=H.length;Ht<le;Ht++){let pe=H[Ht],ze=pe.object,_e=pe.geometry,de=pe.material,Gt=pe.group;if(de.side===bn&&ze.layers.test($.layers)){let qe=de.side;de.side=Fn,de.needsUpdate=!0,Ba(ze,X,$,_e,de,Gt),de.side=qe,de.needsUpdate=!0,Zt=!0}}Zt===!0&&(C.updateMultisampleRenderTarget(ht),C.updateRenderTargetMipmap(ht))}S.setRenderTarget(wt),S.setClearColor(W,Z),qt!==void 0&&($.viewport=qt),S.toneMapping=Dt}function Hs(w,H,X){let $=H.isScene===!0?H.overrideMaterial:null;for(let G=0,ht=w.length;G<ht;G++){let xt=w[G],wt=xt.object,Dt=xt.geometry,qt=$===null?xt.material:$,Zt=xt.group;wt.layers.test(X.layers)&&Ba(wt,H,X,Dt,qt,Zt)}}function Ba(w,H,X,$,G,ht){w.onBeforeRender(S,H,X,$,G,ht),w.modelViewMatrix.multiplyMatrices(X.matrixWorldInverse,w.matrixWorld),w.normalMatrix.getNormalMatrix(w.modelViewMatrix),G.onBeforeRender(S,H,X,$,w,ht),G.transparent===!0&&G.side===bn&&G.forceSinglePass===!1?(G.side=Fn,G.needsUpdate=!0,S.renderBufferDirect(X,H,$,G,w,ht),G.side=ns,G.needsUpdate=!0,S.renderBufferDirect(X,H,$,G,w,ht),G.side=bn):S.renderBufferDirect(X,H,$,G,w,ht),w.onAfterRender(S,H,X,$,G,ht)}function br(w,H,X){H.isScene!==!0&&(H=oe);let $=Ut.get(w),G=p.state.lights,ht=p.state.shadowsArray,xt=G.state.version,wt=Lt.getParameters(w,G.state,ht,H,X),Dt=Lt.getProgramCacheKey(wt),qt=$.programs;$.environment=w.isMeshStandardMaterial?H.environment:null,$.fog=H.fog,$.envMap=(w.isMeshStandardMaterial?k:y).get(w.envMap||$.environment),$.envMapRotation=$.environment!==null&&w.envMap===null?H.environmentRotation:w.envMapRotation,qt===void 0&&(w.addEventListener("dispose",jt),qt=new Map,$.programs=qt);let Zt=qt.get(Dt);if(Zt!==void 0){if($.currentProgram===Zt&&$.lightsStateVersion===xt)return ka(w,wt),Zt}else wt.uniforms=Lt.getUniforms(w),w.onBeforeCompile(wt,S),Zt=Lt.acquireProgram(wt,Dt),qt.set(Dt,Zt),$.uniforms=wt.uniforms;let Ht=$.uniforms;return(!w.isShaderMaterial&&!w.isRawShaderMaterial||w.clipping===!0)&&(Ht.clippingPlanes=at.uniform),ka(w,wt),$.needsLights=Ii(w),$.lightsStateVersion=xt,$.needsLights&&(Ht.ambientLightColor.value=G.state.ambient,Ht.lightProbe.value=G.state.probe,Ht.directionalLights.value=G.state.directional,Ht.directionalLightShadows.value=G.state.directionalShadow,Ht.spotLights.value=G.state.spot,Ht.spotLightShadows.value=G.state.spotShadow,Ht.rectAreaLights.value=G.state.rectArea,Ht.ltc_1.value=G.state.rectAreaLTC1,Ht.ltc_2.value=G.state.rectAreaLTC2,Ht.pointLights.value=G.state.point,Ht.pointLightShadows.value=G.state.pointShadow,Ht.hemisphereLights.value=G.state.hemi,Ht.directionalShadowMap.value=G.state.directionalShadowMap,Ht.directionalShadowMatrix.value=G.state.directionalShadowMatrix,Ht.spotShadowMap.value=G.state.spotShadowMap,Ht.spotLightMatrix.value=G.state.spotLightMatrix,Ht.spotLightMap.value=G.state.spotLightMap,Ht.pointShadowMap.value=G.state.pointShadowMap,Ht.pointShadowMatrix.value=G.state.pointShadowMatrix),$.currentProgram=Zt,$.uniformsList=null,Zt}function Pi(w){if(w.uniformsList===null){let H=w.currentProgram.getUniforms();w.uniformsList=oo.seqWithValue(H.seq,w.uniforms)}return w.uniformsList}function ka(w,H){let X=Ut.get(w);X.outputColorSpace=H.outputColorSpace,X.batching=H.batching,X.batchingColor=H.batchingColor,X.instancing=H.instancing,X.instancingColor=H.instancingColor,X.instancingMorph=H.instancingMorph,X.skinning=H.skinning,X.morphTargets=H.morphTargets,X.morphNormals=H.morphNormals,X.morphColors=H.morphColors,X.morphTargetsCount=H.morphTargetsCount,X.numClippingPlanes=H.numClippingPlanes,X.numIntersection=H.numClipIntersection,X.vertexAlphas=H.vertexAlphas,X.vertexTangents=H.vertexTangents,X.toneMapping=H.toneMapping}function Vs(w,H,X,$,G){H.isScene!==!0&&(H=oe),C.resetTextureUnits();let ht=H.fog,xt=$.isMeshStandardMaterial?H.environment:null,wt=N===null?S.outputColorSpace:N.isXRRenderTarget===!0?N.texture.colorSpace:tr,Dt=($.isMeshStandardMaterial?k:y).get($.envMap||xt),qt=$.vertexColors===!0&&!!X.attributes.color&&X.attributes.color.itemSize===4,Zt=!!X.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),Ht=!!X.morphAttributes.position,le=!!X.morphAttributes.normal,pe=!!X.morphAttributes.color,ze=wi;$.toneMapped&&(N===null||N.isXRRenderTarget===!0)&&(ze=S.toneMapping);let _e=X.morphAttributes.position||X.morphAttributes.normal||X.morphAttributes.color,de=_e!==void 0?_e.length:0,Gt=Ut.get($),qe=p.state.lights;if(ct===!0&&(Nt===!0||w!==v)){let on=w===v&&$.id===E;at.setState($,w,on)}let me=!1;$.version===Gt.__version?(Gt.needsLights&&Gt.lightsStateVersion!==qe.state.version||Gt.outputColorSpace!==wt||G.isBatchedMesh&&Gt.batching===!1||!G.isBatchedMesh&&Gt.batching===!0||G.isBatchedMesh&&Gt.batchingColor===!0&&G.colorTexture===null||G.isBatchedMesh&&Gt.batchingColor===!1&&G.colorTexture!==null||G.isInstancedMesh&&Gt.instancing===!1||!G.isInstancedMesh&&Gt.instancing===!0||G.isSkinnedMesh&&Gt.skinning===!1||!G.isSkinnedMesh&&Gt.skinning===!0||G.isInstancedMesh&&Gt.instancingColor===!0&&G.instanceColor===null||G.isInstancedMesh&&Gt.instancingColor===!1&&G.instanceColor!==null||G.isInstancedMesh&&Gt.instancingMorph===!0&&G.morphTexture===null||G.isInstancedMesh&&Gt.instancingMorph===!1&&G.morphTexture!==null||Gt.envMap!==Dt||$.fog===!0&&Gt.fog!==ht||Gt.numClippingPlanes!==void 0&&(Gt.numClippingPlanes!==at.numPlanes||Gt.numIntersection!==at.numIntersection)||Gt.vertexAlphas!==qt||Gt.vertexTangents!==Zt||Gt.morphTargets!==Ht||Gt.morphNormals!==le||Gt.morphColors!==pe||Gt.toneMapping!==ze||Gt.morphTargetsCount!==de)&&(me=!0):(me=!0,Gt.__version=$.version);let $n=Gt.currentProgram;me===!0&&($n=br($,H,G));let us=!1,Pn=!1,ds=!1,Ce=$n.getUniforms(),On=Gt.uniforms;if(Rt.useProgram($n.program)&&(us=!0,Pn=!0,ds=!0),$.id!==E&&(E=$.id,Pn=!0),us||v!==w){Rt.buffers.depth.getReversed()?(dt.copy(w.projectionMatrix),qp(dt),Yp(dt),Ce.setValue(F,"projectionMatrix",dt)):Ce.setValue(F,"projectionMatrix",w.projectionMatrix),Ce.setValue(F,"viewMatrix",w.matrixWorldInverse);let an=Ce.map.cameraPosition;an!==void 0&&an.setValue(F,Vt.setFromMatrixPosition(w.matrixWorld)),Kt.logarithmicDepthBuffer&&Ce.setValue(F,"logDepthBufFC",2/(Math.log(w.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&Ce.setValue(F,"isOrthographic",w.isOrthographicCamera===!0),v!==w&&(v=w,Pn=!0,ds=!0)}if(G.isSkinnedMesh){Ce.setOptional(F,G,"bindMatrix"),Ce.setOptional(F,G,"bindMatrixInverse");let on=G.skeleton;on&&(on.boneTexture===null&&on.computeBoneTexture(),Ce.setValue(F,"boneTexture",on.boneTexture,C))}G.isBatchedMesh&&(Ce.setOptional(F,G,"batchingTexture"),Ce.setValue(F,"batchingTexture",G._matricesTexture,C),Ce.setOptional(F,G,"batchingIdTexture"),Ce.setValue(F,"batchingIdTexture",G._indirectTexture,C),Ce.setOptional(F,G,"batchingColorTexture"),G._colorsTexture!==null&&Ce.setValue(F,"batchingColorTexture",G._colorsTexture,C));let In=X.morphAttributes;if((In.position!==void 0||In.normal!==void 0||In.color!==void 0)&&zt.update(G,X,$n),(Pn||Gt.receiveShadow!==G.receiveShadow)&&(Gt.receiveShadow=G.receiveShadow,Ce.setValue(F,"receiveShadow",G.receiveShadow)),$.isMeshGouraudMaterial&&$.envMap!==null&&(On.envMap.value=Dt,On.flipEnvMap.value=Dt.isCubeTexture&&Dt.isRenderTargetTexture===!1?-1:1),$.isMeshStandardMaterial&&$.envMap===null&&H.environment!==null&&(On.envMapIntensity.value=H.environmentIntensity),Pn&&(Ce.setValue(F,"toneMappingExposure",S.toneMappingExposure),Gt.needsLights&&za(On,ds),ht&&$.fog===!0&&gt.refreshFogUniforms(On,ht),gt.refreshMaterialUniforms(On,$,j,et,p.state.transmissionRenderTarget[w.id]),oo.upload(F,Pi(Gt),On,C)),$.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(oo.upload(F,Pi(Gt),On,C),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&Ce.setValue(F,"center",G.center),Ce.setValue(F,"modelViewMatrix",G.modelViewMatrix),Ce.setValue(F,"normalMatrix",G.normalMatrix),Ce.setValue(F,"modelMatrix",G.matrixWorld),$.isShaderMaterial||$.isRawShaderMaterial){let on=$.uniformsGroups;for(let an=0,fs=on.length;an<fs;an++){let $i=on[an];O.update($i,$n),O.bind($i,$n)}}return $n}function za(w,H){w.ambientLightColor.needsUpdate=H,w.lightProbe.needsUpdate=H,w.directionalLights.needsUpdate=H,w.directionalLightShadows.needsUpdate=H,w.pointLights.needsUpdate=H,w.pointLightShadows.needsUpdate=H,w.spotLights.needsUpdate=H,w.spotLightShadows.needsUpdate=H,w.rectAreaLights.needsUpdate=H,w.hemisphereLights.needsUpdate=H}function Ii(w){return w.isMeshLambertMaterial||w.isMeshToonMaterial||w.isMeshPhongMaterial||w.isMeshStandardMaterial||w.isShadowMaterial||w.isShaderMaterial&&w.lights===!0}this.getActiveCubeFace=function(){return R},this.getActiveMipmapLevel=function(){return L},this.getRenderTarget=function(){return N},this.setRenderTargetTextures=function(w,H,X){Ut.get(w.texture).__webglTexture=H,Ut.get(w.depthTexture).__webglTexture=X;let $=Ut.get(w);$.__hasExternalTextures=!0,$.__autoAllocateDepthBuffer=X===void 0,$.__autoAllocateDepthBuffer||ie.has("WEBGL_multisampled_render_to_texture")===!0&&(console.warn("THREE.WebGLRenderer: Render-to-texture extension was disabled because an external texture was provided"),$.__useRenderToTexture=!1)},this.setRenderTargetFramebuffer=function(w,H){let X=Ut.get(w);X.__webglFramebuffer=H,X.__useDefaultFramebuffer=H===void 0},this.setRenderTarget=function(w,H=0,X=0){N=w,R=H,L=X;let $=!0,G=null,ht=!1,xt=!1;if(w){let Dt=Ut.get(w);if(Dt.__useDefaultFramebuffer!==void 0)Rt.bindFramebuffer(F.FRAMEBUFFER,null),$=!1;else if(Dt.__webglFramebuffer===void 0)C.setupRenderTarget(w);else if(Dt.__hasExternalTextures)C.rebindTextures(w,Ut.get(w.texture).__webglTexture,Ut.get(w.depthTexture).__webglTexture);else if(w.depthBuffer){let Ht=w.depthTexture;if(Dt.__boundDepthTexture!==Ht){if(Ht!==null&&Ut.has(Ht)&&(w.width!==Ht.image.width||w.height!==Ht.image.height))throw new Error("WebGLRenderTarget: Attached DepthTexture is initialized to the incorrect size.");C.setupDepthRenderbuffer(w)}}let qt=w.texture;(qt.isData3DTexture||qt.isDataArrayTexture||qt.isCompressedArrayTexture)&&(xt=!0);let Zt=Ut.get(w).__webglFramebuffer;w.isWebGLCubeRenderTarget?(Array.isArray(Zt[H])?G=Zt[H][X]:G=Zt[H],ht=!0):w.samples>0&&C.useMultisampledRTT(w)===!1?G=Ut.get(w).__webglMultisampledFramebuffer:Array.isArray(Zt)?G=Zt[X]:G=Zt,A.copy(w.viewport),V.copy(w.scissor),z=w.scissorTest}else A.copy(mt).multiplyScalar(j).floor(),V.copy(ft).multiplyScalar(j).floor(),z=Wt;if(Rt.bindFramebuffer(F.FRAMEBUFFER,G)&&$&&Rt.drawBuffers(w,G),Rt.viewport(A),Rt.scissor(V),Rt.setScissorTest(z),ht){let Dt=Ut.get(w.texture);F.framebufferTexture2D(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_CUBE_MAP_POSITIVE_X+H,Dt.__webglTexture,X)}else if(xt){let Dt=Ut.get(w.texture),qt=H||0;F.framebufferTextureLayer(F.FRAMEBUFFER,F.COLOR_ATTACHMENT0,Dt.__webglTexture,X||0,qt)}E=-1},this.readRenderTargetPixels=function(w,H,X,$,G,ht,xt){if(!(w&&w.isWebGLRenderTarget)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let wt=Ut.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&xt!==void 0&&(wt=wt[xt]),wt){Rt.bindFramebuffer(F.FRAMEBUFFER,wt);try{let Dt=w.texture,qt=Dt.format,Zt=Dt.type;if(!Kt.textureFormatReadable(qt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(!Kt.textureTypeReadable(Zt)){console.error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}H>=0&&H<=w.width-$&&X>=0&&X<=w.height-G&&F.readPixels(H,X,$,G,$t.convert(qt),$t.convert(Zt),ht)}finally{let Dt=N!==null?Ut.get(N).__webglFramebuffer:null;Rt.bindFramebuffer(F.FRAMEBUFFER,Dt)}}},this.readRenderTargetPixelsAsync=async function(w,H,X,$,G,ht,xt){if(!(w&&w.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let wt=Ut.get(w).__webglFramebuffer;if(w.isWebGLCubeRenderTarget&&xt!==void 0&&(wt=wt[xt]),wt){let Dt=w.texture,qt=Dt.format,Zt=Dt.type;if(!Kt.textureFormatReadable(qt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(!Kt.textureTypeReadable(Zt))throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");if(H>=0&&H<=w.width-$&&X>=0&&X<=w.height-G){Rt.bindFramebuffer(F.FRAMEBUFFER,wt);let Ht=F.createBuffer();F.bindBuffer(F.PIXEL_PACK_BUFFER,Ht),F.bufferData(F.PIXEL_PACK_BUFFER,ht.byteLength,F.STREAM_READ),F.readPixels(H,X,$,G,$t.convert(qt),$t.convert(Zt),0);let le=N!==null?Ut.get(N).__webglFramebuffer:null;Rt.bindFramebuffer(F.FRAMEBUFFER,le);let pe=F.fenceSync(F.SYNC_GPU_COMMANDS_COMPLETE,0);return F.flush(),await Xp(F,pe,4),F.bindBuffer(F.PIXEL_PACK_BUFFER,Ht),F.getBufferSubData(F.PIXEL_PACK_BUFFER,0,ht),F.deleteBuffer(Ht),F.deleteSync(pe),ht}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")}},this.copyFramebufferToTexture=function(w,H=null,X=0){w.isTexture!==!0&&(ar("WebGLRenderer: copyFramebufferToTexture function signature has changed."),H=arguments[0]||null,w=arguments[1]);let $=Math.pow(2,-X),G=Math.floor(w.image.width*$),ht=Math.floor(w.image.height*$),xt=H!==null?H.x:0,wt=H!==null?H.y:0;C.setTexture2D(w,0),F.copyTexSubImage2D(F.TEXTURE_2D,X,0,0,xt,wt,G,ht),Rt.unbindTexture()};let rn=F.createFramebuffer(),Ke=F.createFramebuffer();this.copyTextureToTexture=function(w,H,X=null,$=null,G=0,ht=null){w.isTexture!==!0&&(ar("WebGLRenderer: copyTextureToTexture function signature has changed."),$=arguments[0]||null,w=arguments[1],H=arguments[2],ht=arguments[3]||0,X=null),ht===null&&(G!==0?(ar("WebGLRenderer: copyTextureToTexture function signature has changed to support src and dst mipmap levels."),ht=G,G=0):ht=0);let xt,wt,Dt,qt,Zt,Ht,le,pe,ze,_e=w.isCompressedTexture?w.mipmaps[ht]:w.image;if(X!==null)xt=X.max.x-X.min.x,wt=X.max.y-X.min.y,Dt=X.isBox3?X.max.z-X.min.z:1,qt=X.min.x,Zt=X.min.y,Ht=X.isBox3?X.min.z:0;else{let In=Math.pow(2,-G);xt=Math.floor(_e.width*In),wt=Math.floor(_e.height*In),w.isDataArrayTexture?Dt=_e.depth:w.isData3DTexture?Dt=Math.floor(_e.depth*In):Dt=1,qt=0,Zt=0,Ht=0}$!==null?(le=$.x,pe=$.y,ze=$.z):(le=0,pe=0,ze=0);let de=$t.convert(H.format),Gt=$t.convert(H.type),qe;H.isData3DTexture?(C.setTexture3D(H,0),qe=F.TEXTURE_3D):H.isDataArrayTexture||H.isCompressedArrayTexture?(C.setTexture2DArray(H,0),qe=F.TEXTURE_2D_ARRAY):(C.setTexture2D(H,0),qe=F.TEXTURE_2D),F.pixelStorei(F.UNPACK_FLIP_Y_WEBGL,H.flipY),F.pixelStorei(F.UNPACK_PREMULTIPLY_ALPHA_WEBGL,H.premultiplyAlpha),F.pixelStorei(F.UNPACK_ALIGNMENT,H.unpackAlignment);let me=F.getParameter(F.UNPACK_ROW_LENGTH),$n=F.getParameter(F.UNPACK_IMAGE_HEIGHT),us=F.getParameter(F.UNPACK_SKIP_PIXELS),Pn=F.getParameter(F.UNPACK_SKIP_ROWS),ds=F.getParameter(F.UNPACK_SKIP_IMAGES);F.pixelStorei(F.UNPACK_ROW_LENGTH,_e.width),F.pixelStorei(F.UNPACK_IMAGE_HEIGHT,_e.height),F.pixelStorei(F.UNPACK_SKIP_PIXELS,qt),F.pixelStorei(F.UNPACK_SKIP_ROWS,Zt),F.pixelStorei(F.UNPACK_SKIP_IMAGES,Ht);let Ce=w.isDataArrayTexture||w.isData3DTexture,On=H.isDataArrayTexture||H.isData3DTexture;if(w.isDepthTexture){let In=Ut.get(w),on=Ut.get(H),an=Ut.get(In.__renderTarget),fs=Ut.get(on.__renderTarget);Rt.bindFramebuffer(F.READ_FRAMEBUFFER,an.__webglFramebuffer),Rt.bindFramebuffer(F.DRAW_FRAMEBUFFER,fs.__webglFramebuffer);for(let $i=0;$i<Dt;$i++)Ce&&(F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,Ut.get(w).__webglTexture,G,Ht+$i),F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,Ut.get(H).__webglTexture,ht,ze+$i)),F.blitFramebuffer(qt,Zt,xt,wt,le,pe,xt,wt,F.DEPTH_BUFFER_BIT,F.NEAREST);Rt.bindFramebuffer(F.READ_FRAMEBUFFER,null),Rt.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else if(G!==0||w.isRenderTargetTexture||Ut.has(w)){let In=Ut.get(w),on=Ut.get(H);Rt.bindFramebuffer(F.READ_FRAMEBUFFER,rn),Rt.bindFramebuffer(F.DRAW_FRAMEBUFFER,Ke);for(let an=0;an<Dt;an++)Ce?F.framebufferTextureLayer(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,In.__webglTexture,G,Ht+an):F.framebufferTexture2D(F.READ_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,In.__webglTexture,G),On?F.framebufferTextureLayer(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,on.__webglTexture,ht,ze+an):F.framebufferTexture2D(F.DRAW_FRAMEBUFFER,F.COLOR_ATTACHMENT0,F.TEXTURE_2D,on.__webglTexture,ht),G!==0?F.blitFramebuffer(qt,Zt,xt,wt,le,pe,xt,wt,F.COLOR_BUFFER_BIT,F.NEAREST):On?F.copyTexSubImage3D(qe,ht,le,pe,ze+an,qt,Zt,xt,wt):F.copyTexSubImage2D(qe,ht,le,pe,qt,Zt,xt,wt);Rt.bindFramebuffer(F.READ_FRAMEBUFFER,null),Rt.bindFramebuffer(F.DRAW_FRAMEBUFFER,null)}else On?w.isDataTexture||w.isData3DTexture?F.texSubImage3D(qe,ht,le,pe,ze,xt,wt,Dt,de,Gt,_e.data):H.isCompressedArrayTexture?F.compressedTexSubImage3D(qe,ht,le,pe,ze,xt,wt,Dt,de,_e.data):F.texSubImage3D(qe,ht,le,pe,ze,xt,wt,Dt,de,Gt,_e):w.isDataTexture?F.texSubImage2D(F.TEXTURE_2D,ht,le,pe,xt,wt,de,Gt,_e.data):w.isCompressedTexture?F.compressedTexSubImage2D(F.TEXTURE_2D,ht,le,pe,_e.width,_e.height,de,_e.data):F.texSubImage2D(F.TEXTURE_2D,ht,le,pe,xt,wt,de,Gt,_e);F.pixelStorei(F.UNPACK_ROW_LENGTH,me),F.pixelStorei(F.UNPACK_IMAGE_HEIGHT,$n),F.pixelStorei(F.UNPACK_SKIP_PIXELS,us),F.pixelStorei(F.UNPACK_SKIP_ROWS,Pn),F.pixelStorei(F.UNPACK_SKIP_IMAGES,ds),ht===0&&H.generateMipmaps&&F.generateMipmap(qe),Rt.unbindTexture()},this.copyTextureToTexture3D=function(w,H,X=null,$=null,G=0){return w.isTexture!==!0&&(ar("WebGLRenderer: copyTextureToTexture3D function signature has changed."),X=arguments[0]||null,$=arguments[1]||null,w=arguments[2],H=arguments[3],G=arguments[4]||0),ar('WebGLRenderer: copyTextureToTexture3D function has been deprecated. Use "copyTextureToTexture" instead.'),this.copyTextureToTexture(w,H,X,$,G)},this.initRenderTarget=function(w){Ut.get(w).__webglFramebuffer===void 0&&C.setupRenderTarget(w)},this.initTexture=function(w){w.isCubeTexture?C.setTextureCube(w,0):w.isData3DTexture?C.setTexture3D(w,0):w.isDataArrayTexture||w.isCompressedArrayTexture?C.setTexture2DArray(w,0):C.setTexture2D(w,0),Rt.unbindTexture()},this.resetState=function(){R=0,L=0,N=null,Rt.reset(),ye.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ni}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(t){this._outputColorSpace=t;let e=this.getContext();e.drawingBufferColorspace=ge._getDrawingBufferColorSpace(t),e.unpackColorSpace=ge._getUnpackColorSpace()}};function hd(i,t,e,n,s,r,o,a,l,c,h,d){let u=2*o*o,f=2*a*a,g=2*l*l,x=2*o*a,m=2*o*l,p=2*a*l,T=2*r*o,b=2*r*a,S=2*r*l;i[t]=(1-f-g)*c,i[t+1]=(x+S)*c,i[t+2]=(m-b)*c,i[t+3]=0,i[t+4]=(x-S)*h,i[t+5]=(1-u-g)*h,i[t+6]=(p+T)*h,i[t+7]=0,i[t+8]=(m+b)*d,i[t+9]=(p-T)*d,i[t+10]=(1-u-f)*d,i[t+11]=0,i[t+12]=e,i[t+13]=n,i[t+14]=s,i[t+15]=1}function Xe(i,t){let[e,n,s,r]=i,o=2*(s*t[2]-r*t[1]),a=2*(r*t[0]-n*t[2]),l=2*(n*t[1]-s*t[0]);return[t[0]+e*o+(s*l-r*a),t[1]+e*a+(r*o-n*l),t[2]+e*l+(n*a-s*o)]}function Us(i,t){return[i[0]*t[0]-i[1]*t[1]-i[2]*t[2]-i[3]*t[3],i[0]*t[1]+i[1]*t[0]+i[2]*t[3]-i[3]*t[2],i[0]*t[2]-i[1]*t[3]+i[2]*t[0]+i[3]*t[1],i[0]*t[3]+i[1]*t[2]-i[2]*t[1]+i[3]*t[0]]}function ud(i){let t=[[i[0],i[3],i[4]],[i[3],i[1],i[5]],[i[4],i[5],i[2]]],e=[[1,0,0],[0,1,0],[0,0,1]];for(let n=0;n<20;n++)for(let[s,r]of[[0,1],[0,2],[1,2]]){if(Math.abs(t[s][r])<1e-300)continue;let o=(t[r][r]-t[s][s])/(2*t[s][r]),a=Math.sign(o||1)/(Math.abs(o)+Math.sqrt(o*o+1)),l=1/Math.sqrt(a*a+1),c=a*l;for(let h=0;h<3;h++){let d=t[h][s],u=t[h][r];t[h][s]=l*d-c*u,t[h][r]=c*d+l*u}for(let h=0;h<3;h++){let d=t[s][h],u=t[r][h];t[s][h]=l*d-c*u,t[r][h]=c*d+l*u;let f=e[h][s],g=e[h][r];e[h][s]=l*f-c*g,e[h][r]=c*f+l*g}}return{moments:[t[0][0],t[1][1],t[2][2]],axes:e}}function dd(i){let t=new ve().set(i[0][0],i[0][1],i[0][2],0,i[1][0],i[1][1],i[1][2],0,i[2][0],i[2][1],i[2][2],0,0,0,0,1);if(t.determinant()<0)for(let n of[8,9,10])t.elements[n]*=-1;let e=new Gn().setFromRotationMatrix(t);return[e.w,e.x,e.y,e.z]}function fd(i,t,e){let n=.5*(t[0]+t[1]+t[2]);return t.map(s=>Math.sqrt(Math.max(e*(n-s)/i,1e-8)))}var co=(i,t)=>[i[0]-t[0],i[1]-t[1],i[2]-t[2]],fi=(i,t)=>[i[0]+t[0],i[1]+t[1],i[2]+t[2]],fr=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2],Ns=(i,t)=>[i[1]*t[2]-i[2]*t[1],i[2]*t[0]-i[0]*t[2],i[0]*t[1]-i[1]*t[0]];function pr(i){if(i[2]<-.999999)return[0,1,0,0];let t=1+i[2],e=Math.sqrt(t*t+i[0]*i[0]+i[1]*i[1]);return[t/e,-i[1]/e,i[0]/e,0]}var qn=0,pi=1,ho=2;function Em({vertices:i,triangles:t}){let e=new Float32Array(3*t.length);for(let s=0;s<t.length;s++)for(let r=0;r<3;r++)e[3*s+r]=i[3*t[s]+r];let n=new Ze;return n.setAttribute("position",new en(e,3)),n.computeVertexNormals(),n.computeBoundingSphere(),n.computeBoundingBox(),n}var Gi=class{constructor(t,e,n,s){this.list=n,this.mesh=new Kr(t,e,Math.max(n.length,1)),this.mesh.count=n.length,this.mesh.frustumCulled=!1,this.mesh.instanceMatrix.setUsage(Wc),this.mesh.userData.list=s?n:null,this.body=new Int32Array(n.map(r=>r.body)),this.local=new Float32Array(n.length*7),this.scale=new Float32Array(n.length*3),n.forEach((r,o)=>{this.local.set(r.pose,7*o),this.scale.set(r.scale,3*o),r.color!==void 0&&this.mesh.setColorAt(o,new Xt(r.color))})}place(t,e,n=null,s=qn){let r=this.mesh.instanceMatrix.array,o=this.local,a=this.scale;for(let l=0;l<this.body.length;l++){let c=7*l,h=e+7*this.body[l],d=0,u=0,f=0,g=1,x=0,m=0,p=0;this.body[l]>=0&&(d=t[h],u=t[h+1],f=t[h+2],g=t[h+3],x=t[h+4],m=t[h+5],p=t[h+6]);let T=2*(m*o[c+2]-p*o[c+1]),b=2*(p*o[c]-x*o[c+2]),S=2*(x*o[c+1]-m*o[c]),P=o[c+3],R=o[c+4],L=o[c+5],N=o[c+6],v=(n&&this.body[l]>=0?n[this.body[l]]:qn)===s?1:0;hd(r,16*l,d+o[c]+g*T+(m*S-p*b),u+o[c+1]+g*b+(p*T-x*S),f+o[c+2]+g*S+(x*b-m*T),g*P-x*R-m*L-p*N,g*R+x*P+m*N-p*L,g*L-x*N+m*P+p*R,g*N+x*L-m*R+p*P,v*a[3*l],v*a[3*l+1],v*a[3*l+2])}this.mesh.instanceMatrix.needsUpdate=!0}},Aa=class{constructor({points:t,triangles:e},n,s){let r=new Ze;this.numbers=3*t,this.position=new en(new Float32Array(this.numbers),3),this.position.setUsage(Wc),r.setAttribute("position",this.position),e.length>0?(r.setIndex(new en(new Uint32Array(e),1)),this.mesh=new De(r,n)):this.mesh=new na(r,s),this.mesh.frustumCulled=!1}place(t,e){return this.position.array.set(t.subarray(e,e+this.numbers)),this.position.needsUpdate=!0,e+this.numbers}},Ti=class{constructor(t,e,n){this.scene=t,this.geometry=e,this.material=n,this.mesh=null,this.capacity=0,this.count=0}begin(t){this.count=0,!(t<=this.capacity)&&(this.capacity=Math.max(32,2*t),this.mesh&&(this.scene.remove(this.mesh),this.mesh.dispose()),this.mesh=new Kr(this.geometry,this.material,this.capacity),this.mesh.frustumCulled=!1,this.mesh.count=0,this.material.depthTest||(this.mesh.renderOrder=4),this.scene.add(this.mesh))}add(t,e,n,s,r){hd(this.mesh.instanceMatrix.array,16*this.count++,t[0],t[1],t[2],e[0],e[1],e[2],e[3],n,s,r)}color(t){this.mesh.setColorAt(this.count-1,t),this.mesh.instanceColor.needsUpdate=!0}end(){this.mesh&&(this.mesh.count=this.count,this.mesh.visible=this.count>0,this.mesh.instanceMatrix.needsUpdate=!0,this.mesh.boundingSphere=null)}hide(){this.count=0,this.end()}},Fs=class{constructor(t,e){let n=new Xn({color:e,depthTest:!1,transparent:!0,opacity:.92}),s=new ti(1,1,1,8).rotateX(Math.PI/2).translate(0,0,.5),r=new oa(1,1,12).rotateX(Math.PI/2).translate(0,0,.5);this.shafts=new Ti(t,s,n),this.heads=new Ti(t,r,n),this.sources=[],this.count=0}begin(t){this.shafts.begin(t),this.heads.begin(t),this.sources.length=0,this.count=0}add(t,e,n,s=null){let r=Math.hypot(e[0],e[1],e[2]);if(!(r>1.2*n)||!Number.isFinite(r))return;let o=[e[0]/r,e[1]/r,e[2]/r],a=pr(o),l=Math.min(.4*r,5*n),c=r-l;this.shafts.add(t,a,n,n,c),this.heads.add([t[0]+o[0]*c,t[1]+o[1]*c,t[2]+o[2]*c],a,2.4*n,2.4*n,l),this.sources.push(s),this.count++}end(){this.shafts.end(),this.heads.end()}hide(){this.count=this.shafts.count=this.heads.count=0,this.sources.length=0,this.end()}meshes(){return[this.shafts.mesh,this.heads.mesh].filter(t=>t&&t.visible)}};var Kc={sky:15988472,ground:15002350,grid:12174798,joint:3096140,shade:2240572,skyLight:16777215,groundLight:11122368},Tm={sky:1317150,ground:1844009,grid:3819604,joint:12898521,shade:0,skyLight:14674159,groundLight:3950160},Ge={selected:16752412,slide:2792847,turn:9069496,force:13715803,moment:4030118,contact:15896379,wrench:6986062,push:1149618,spring:7044234,damper:8022616,tendon:11551038,limit:5217758,atLimit:15087942,plain:9279910,soft:13141850},Am=i=>`#${i.toString(16).padStart(6,"0")}`;var Rm=7;function sS(){class i extends Wn{getPoint(e,n=new U){let s=Math.min(Math.max((e-.08)/.84,0),1),r=e<.08?e/.08:e>.92?(1-e)/.08:1,o=2*Math.PI*Rm*s;return n.set(r*Math.cos(o),r*Math.sin(o),e*8)}}return new la(new i,22*Rm,.16,5).scale(1,1,1/8)}var pd=(i,t,e)=>new ti(i,i,e-t,10).rotateX(Math.PI/2).translate(0,0,.5*(t+e)),jc=class{constructor(t,e,n){this.world=e,this.springs=n.springs,this.rests=this.springs.map(r=>r.rest);let s=r=>new Xn({color:r});this.coils=new Ti(t,sS(),s(16777215)),this.pots=new Ti(t,pd(1,.2,.62),s(Ge.damper)),this.rods=new Ti(t,pd(.4,0,1),s(5596014)),this.cords=new Ti(t,pd(1,0,1),s(16777215)),this.strain=new Xt}pointOf(t,e){let n=this.world.poseOf(t.bodies[e]);return fi(n.p,Xe(n.q,t.points.slice(3*e,3*e+3)))}lengthOf(t){let e=0;for(let n=1;n<t.bodies.length;n++)e+=Math.hypot(...co(this.pointOf(t,n),this.pointOf(t,n-1)));return e}colorOf(t){let e=Math.max(-1,Math.min(1,t/.35));return this.strain.setHex(Ge.spring).lerp(new Xt(e>0?13715803:4030118),Math.abs(e))}place(t){let e=[this.coils,this.pots,this.rods,this.cords],n=this.springs.reduce((s,r)=>s+r.bodies.length-1,0);if(!t||n===0){for(let s of e)s.hide();return}for(let s of e)s.begin(n);this.springs.forEach((s,r)=>this.placeOne(s,r));for(let s of e)s.end()}placeOne(t,e){let n=this.world.size,s=.0035*n,r=this.lengthOf(t);this.rests[e]>=0||(this.rests[e]=r);let o=this.rests[e]>0?r/this.rests[e]-1:r>0?1:0,a=this.springs.length>400;for(let l=1;l<t.bodies.length;l++){let c=this.pointOf(t,l-1),h=co(this.pointOf(t,l),c),d=Math.hypot(...h);if(!(d>1e-9))continue;let u=pr(h.map(g=>g/d)),f=Math.min(.016*n,.12*d);t.look==="spring"&&!a?(this.coils.add(c,u,f,f,d),this.coils.color(this.colorOf(o))):t.look==="damper"?(this.rods.add(c,u,.7*f,.7*f,d),this.pots.add(c,u,.7*f,.7*f,d)):(this.cords.add(c,u,t.look==="spring"?.5*s:s,t.look==="spring"?.5*s:s,d),this.cords.color(t.look==="spring"?this.colorOf(o):this.strain.setHex(Ge.tendon)))}}meshes(){return[this.coils,this.pots,this.rods,this.cords].map(t=>t.mesh).filter(t=>t&&t.visible)}},Qc=class{constructor(t,e,n,s){this.world=e,this.model=n,this.layout=s,this.group=new ki,t.add(this.group),this.items=[]}build(t){this.group.clear(),this.items=this.model.limits.filter(e=>e.high>e.low&&Number.isFinite(e.high-e.low)).slice(0,200).map(e=>this.buildOne(e,t))}buildOne(t,e){let{joints:n}=this.model,s=n.axes[t.joint][t.axis],r=s[0]==="r",o=n.frameBase.slice(7*t.joint,7*t.joint+7),a={x:[1,0,0],y:[0,1,0],z:[0,0,1]}[s[1]],l=h=>new ci({color:Ge.limit,transparent:!0,opacity:h,side:bn,depthWrite:!1}),c={limit:t,base:n.base[t.joint],isTurn:r,size:e,group:new ki};if(c.local=[...o.slice(0,3),...Us(o.slice(3),pr(a))],r){let h=Math.min(t.high-t.low,2*Math.PI);c.range=new De(new aa(.35*e,e,40,1,t.low,h),l(.28)),c.mark=new De(new ss(e,.06*e).translate(.5*e,0,0),l(.95))}else{let h=t.high-t.low;c.range=new De(new hi(.1*e,.1*e,h).translate(0,0,.5*(t.high+t.low)),l(.35)),c.mark=new De(new hi(.3*e,.3*e,.06*e),l(.95))}return c.group.add(c.range,c.mark),c.range.renderOrder=c.mark.renderOrder=3,this.group.add(c.group),c}place(t,e,n){if(this.group.visible=t||n>=0,!!this.group.visible)for(let s of this.items){if(s.group.visible=t||s.limit.joint===n,!s.group.visible)continue;let r=this.world.poseOf(s.base),o=fi(r.p,Xe(r.q,s.local.slice(0,3))),a=Us(r.q,s.local.slice(3));s.group.position.set(...o),s.group.quaternion.set(a[1],a[2],a[3],a[0]);let{low:l,high:c,joint:h,axis:d}=s.limit,u=this.model.detail?e.values[this.layout.coordinates+this.model.joints.coordinateFirst[h]+d]:0;s.isTurn?s.mark.rotation.z=u:s.mark.position.z=u;let g=u<l+.01*(c-l)||u>c-.01*(c-l)?Ge.atLimit:Ge.limit;s.range.material.color.setHex(g),s.mark.material.color.setHex(g)}}};function Ra(i,t,e,n){let{joints:s}=t,r=i.frame.values,o=E=>E<0?[0,0,0,0,0,0]:Array.from(r.subarray(e.velocities+6*E,e.velocities+6*E+6)),[a,l]=[s.base[n],s.follower[n]],[c,h]=[i.poseOf(a),i.poseOf(l)],[d,u]=[o(a),o(l)],f=Us(c.q,s.frameBase.slice(7*n+3,7*n+7)),g={x:Xe(f,[1,0,0]),y:Xe(f,[0,1,0]),z:Xe(f,[0,0,1])},x=Xe(h.q,s.frameFollower.slice(7*n,7*n+3)),m=fi(h.p,x),p=co(fi(u.slice(0,3),Ns(u.slice(3),x)),fi(d.slice(0,3),Ns(d.slice(3),co(m,c.p)))),T=co(u.slice(3),d.slice(3)),b=e.coordinates+s.coordinateFirst[n],S=[],P=f,R=s.axes[n];R.forEach((E,v)=>{if(E[0]!=="r")return;let A={x:[1,0,0],y:[0,1,0],z:[0,0,1]}[E[1]];S.push(Xe(P,A));let V=.5*r[b+v];P=Us(P,[Math.cos(V),...A.map(z=>z*Math.sin(V))])});let L=rS(S,T),N=0;return R.map(E=>E[0]==="t"?fr(g[E[1]],p):L[N++])}function rS(i,t){if(i.length===0)return[];if(i.length===1)return[fr(i[0],t)];let e=i.length===3?i[2]:Ns(i[0],i[1]),n=fr(i[0],Ns(i[1],e));return Math.abs(n)<1e-6?i.map(()=>NaN):[fr(t,Ns(i[1],e))/n,fr(i[0],Ns(t,e))/n,fr(i[0],Ns(i[1],t))/n].slice(0,i.length)}var oS=200,Os=(i,t=4)=>{let e=Math.max(...i.map(Math.abs));return i.map(n=>$e(Math.abs(n)<1e-9*e?0:n,t)).join("  ")},aS=i=>`${$e(i*180/Math.PI,4)}\xB0`,md=i=>i[0]==="t"?"m":"rad",gd=class{constructor(){this.element=it("table",{}),this.rows=[]}write(t){for(t.forEach((e,n)=>{var r;let s=(r=this.rows)[n]??(r[n]=this.element.appendChild(it("tr",{},it("th",{}),it("td",{}),it("td",{class:"unit"}))));e.forEach((o,a)=>{s.children[a].textContent!==o&&(s.children[a].textContent=o)})});this.rows.length>t.length;)this.rows.pop().remove()}},th=class{constructor(t){this.app=t,this.model=t.model,this.element=it("section",{class:"body-card",hidden:!0}),this.sheet=new gd}open(){let{world:t}=this.app,[e,n]=[t.selected,t.selectedJoint];if(this.element.hidden=e<0&&n<0,this.element.hidden)return;let s=it("h2",{class:"spread"},it("span",{},n>=0?this.model.joints.names[n]:this.model.bodies.names[e])),r=it("button",{class:"small",type:"button",title:"let go (Esc)","aria-label":"let go"},"\xD7");r.addEventListener("click",()=>this.app.letGo()),s.append(r),this.element.replaceChildren(s,this.sheet.element),n>=0?this.element.insertBefore(this.jointWords(n),this.sheet.element):this.element.append(this.bodyButtons(e)),this.update()}jointWords(t){let{joints:e,bodies:n}=this.model,s=r=>r<0?"world":n.names[r];return it("p",{class:"hint"},`${e.kinds[t]}, from ${s(e.base[t])} to ${s(e.follower[t])}`)}bodyButtons(t){let{app:e}=this,n=(s,r)=>{let o=it("button",{class:"small",type:"button"},s);return o.addEventListener("click",r),o};return it("p",{class:"buttons"},n("follow",()=>e.followPicked()),n("glass or hide",()=>e.cycleLook(t)),n("show only this",()=>e.showOnly(t)))}update(){if(this.element.hidden)return;let{world:t}=this.app;this.sheet.write(t.selectedJoint>=0?this.jointRows(t.selectedJoint):this.bodyRows(t.selected))}bodyRows(t){let{world:e,layout:n}=this.app,s=e.frame.values,r=e.poseOf(t),o=[["position",Os(r.p),"m"],["orientation",Os(r.q,3),""]];if(this.model.detail&&this.model.has.velocity){let a=n.velocities+6*t;o.push(["velocity",Os([s[a],s[a+1],s[a+2]]),"m/s"]),o.push(["turning",Os([s[a+3],s[a+4],s[a+5]]),"rad/s"])}return o.push(["mass",$e(this.model.bodies.mass[t],4),this.model.bodies.fixed[t]?"kg, fixed":"kg"]),o}jointRows(t){let{world:e,layout:n,model:s}=this.app,r=[];if(!s.detail)return r;let o=e.frame.values,{joints:a}=s,l=a.axes[t],c=n.coordinates+a.coordinateFirst[t],h=s.has.velocity?Ra(e,s,n,t):[];if(l.forEach((d,u)=>{let f=s.limits.find(x=>x.joint===t&&x.axis===u),g=o[c+u];r.push([d,`${$e(g,5)}${d[0]==="r"?`  (${aS(g)})`:""}`,md(d)]),h.length>0&&r.push([`${d} rate`,$e(h[u],4),`${md(d)}/s`]),f&&r.push([`${d} limits`,`${$e(f.low,4)} to ${$e(f.high,4)}`,md(d)])}),s.has.joints){let d=n.loads+6*t;r.push(["force",Os([o[d],o[d+1],o[d+2]]),"N"]),r.push(["  size",$e(Math.hypot(o[d],o[d+1],o[d+2])),"N"]),r.push(["moment",Os([o[d+3],o[d+4],o[d+5]]),"N m"])}return r}},eh=class{constructor(t){this.app=t,this.order=null,this.heads=["joint","value","rate","force, N","moment, N m"],this.head=it("tr",{},...this.heads.map((e,n)=>{let s=it("th",{scope:"col"},it("button",{type:"button",class:"head"},e));return s.firstChild.addEventListener("click",()=>this.sort(n)),s})),this.body=it("tbody",{}),this.element=it("div",{class:"card joints",hidden:!0},it("h2",{class:"spread"},"Joints",it("kbd",{},"L")),it("div",{class:"scroll"},it("table",{},it("thead",{},this.head),this.body))),this.body.addEventListener("click",e=>{let n=e.target.closest("tr");n&&t.selectJoint(+n.dataset.joint)}),this.rows=[]}sort(t){this.order=this.order&&this.order.k===t?{k:t,sign:-this.order.sign}:{k:t,sign:t===0?1:-1},this.last=0,this.update()}numbers(t){let{world:e,layout:n,model:s}=this.app,{joints:r}=s,o=e.frame.values,a=n.coordinates+r.coordinateFirst[t],l=r.axes[t].map((d,u)=>o[a+u]),c=s.has.velocity&&l.length>0?Ra(e,s,n,t):[],h=n.loads+6*t;return[l,c,Math.hypot(o[h],o[h+1],o[h+2]),Math.hypot(o[h+3],o[h+4],o[h+5])]}update(){let t=performance.now();if(this.element.hidden||!this.app.world.frame||t-(this.last||0)<240)return;this.last=t;let n=this.app.model.joints.names.map((r,o)=>({j:o,name:r,n:this.numbers(o)})),s=[0,0,...[2,3].map(r=>n.reduce((o,a)=>Math.max(o,a.n[r]),0))];if(this.order){let{k:r,sign:o}=this.order,a=l=>r===0?l.name:r<3?Math.abs(l.n[r-1][0]??0):l.n[r-1];n.sort((l,c)=>a(l)<a(c)?-o:a(l)>a(c)?o:l.j-c.j)}n.slice(0,oS).forEach((r,o)=>{var d;let a=(d=this.rows)[o]??(d[o]=this.body.appendChild(it("tr",{},...this.heads.map((u,f)=>it(f===0?"th":"td",{})))));a.dataset.joint=r.j,a.classList.toggle("picked",r.j===this.app.world.selectedJoint);let[l,c]=[2,3].map(u=>r.n[u]<1e-9*s[u]?0:r.n[u]);[r.name,Os(r.n[0],3),Os(r.n[1],3),$e(l),$e(c)].forEach((u,f)=>{a.children[f].textContent!==u&&(a.children[f].textContent=u)})})}};var lS=[["force","Joint force","N"],["moment","Joint moment","N m"],["contact","Contact force","N"],["wrench","Applied force","N"]],_d=60,mr={iso:"M10 3 L16 6.5 V13.5 L10 17 L4 13.5 V6.5 Z M10 10 L16 6.5 M10 10 L4 6.5 M10 10 V17",flat:"M4 4 H16 V16 H4 Z M4 10 H16 M10 4 V16",follow:"M10 3.5 V6 M10 14 V16.5 M3.5 10 H6 M14 10 H16.5 M13.5 10 A3.5 3.5 0 1 1 6.5 10 A3.5 3.5 0 1 1 13.5 10",fit:"M4 8 V4 H8 M12 4 H16 V8 M16 12 V16 H12 M8 16 H4 V12",camera:"M3.5 6.5 H7 L8.2 4.5 H11.8 L13 6.5 H16.5 V15 H3.5 Z M12.6 10.5 A2.6 2.6 0 1 1 7.4 10.5 A2.6 2.6 0 1 1 12.6 10.5",film:"M3.5 5.5 H12.5 V14.5 H3.5 Z M12.5 9 L16.5 6.5 V13.5 L12.5 11",moon:"M14.8 12.2 A6 6 0 1 1 8.2 4.4 A4.9 4.9 0 0 0 14.8 12.2 Z"};function cS(i,{a:t,b:e}){let n=s=>s>=0?i.bodies.names[s]:s===-1?"world":"a deformable";return t===void 0?"contact":`${n(t)} on ${n(e)}`}var nh=class{constructor(t){this.app=t,this.element=it("div",{class:"hud"}),this.tools=it("div",{class:"tools",role:"toolbar","aria-label":"camera"}),this.key=it("div",{class:"key",hidden:!0}),this.tip=it("div",{class:"tip",hidden:!0,role:"tooltip"}),this.names=it("div",{class:"names",hidden:!0}),this.buildTools(),this.buildTriad(),this.element.append(this.tools,it("div",{class:"corner"},this.triad,this.key)),this.keyRows=lS.map(([e,n,s])=>{let r=it("span",{class:"value"}),o=it("div",{hidden:!0},it("i",{style:`background:${Am(Ge[e])}`}),it("span",{},n),r);return this.key.append(o),{key:e,unit:s,row:o,value:r}})}buildTools(){let t=()=>this.app.world.rig,e=(n,s,r,o)=>{let a=it("button",{id:n,type:"button",title:r,"aria-label":r},s);return a.addEventListener("click",o),this.tools.append(a),a};this.fitButton=e("fit",Sn(mr.fit,!1),"keep everything in view (F)",()=>this.app.world.fit()),this.followButton=e("follow",Sn(mr.follow,!1),"follow the picked body (C)",()=>this.app.followPicked()),e("view-iso",Sn(mr.iso,!1),"from a corner (0)",()=>t().look("iso")),e("view-front","Front","from the front, along y (1)",()=>t().look("front")),e("view-side","Side","from the side, along x (3)",()=>t().look("side")),e("view-top","Top","from above (7)",()=>t().look("top")),this.flatButton=e("flat",Sn(mr.flat,!1),"parallel lines stay parallel (5)",()=>this.app.flipFlat()),e("shot",Sn(mr.camera,!1),"save this picture (PNG)",()=>this.app.savePicture()),this.filmButton=e("film",Sn(mr.film,!1),"record a video (WebM); again to end and save",()=>this.app.film()),e("night",Sn(mr.moon),"light or dark",()=>this.app.flipTheme())}showMode(t){this.fitButton.classList.toggle("on",t==="auto"),this.followButton.classList.toggle("on",t==="follow")}buildTriad(){let t="http://www.w3.org/2000/svg",e=(n,s)=>{let r=document.createElementNS(t,n);for(let[o,a]of Object.entries(s))r.setAttribute(o,a);return r};this.triad=e("svg",{class:"triad",viewBox:"-34 -34 68 68",width:68,height:68,"aria-hidden":"true"}),this.axes=[["x","#d1495b"],["y","#3f9c5a"],["z","#3d7ec4"]].map(([n,s])=>{let r=e("line",{stroke:s,"stroke-width":2.4,"stroke-linecap":"round",x1:0,y1:0}),o=e("text",{fill:s,"font-size":11,"font-weight":600,"text-anchor":"middle","dominant-baseline":"central"});return o.textContent=n,this.triad.append(r,o),{line:r,text:o}})}turnTriad(){let t=this.app.world.camera.matrixWorldInverse.elements,e=[t[0],t[1],t[4],t[5],t[8],t[9]].map(n=>n.toFixed(2)).join();e!==this.turn&&(this.turn=e,this.axes.forEach(({line:n,text:s},r)=>{let[o,a]=[t[4*r],-t[4*r+1]];n.setAttribute("x2",(20*o).toFixed(2)),n.setAttribute("y2",(20*a).toFixed(2)),s.setAttribute("x",(28*o).toFixed(2)),s.setAttribute("y",(28*a).toFixed(2)),n.style.opacity=s.style.opacity=t[4*r+2]<-.2?.45:1}))}showKey(){let{scales:t}=this.app.world,{joints:e}=this.app.model,n=0;for(let{key:s,unit:r,row:o,value:a}of this.keyRows){let l=t[s];if(o.hidden=!(l&&l.isOn&&l.largest>0),o.hidden)continue;n++;let c=l.who&&l.who.joint!==void 0?` in ${e.names[l.who.joint]}`:"",h=`up to ${$e(l.largest,3)} ${r}${c}${l.cut?", cut":""}`;a.textContent!==h&&(a.textContent=h)}this.key.hidden=n===0}showNames(t){if(this.names.hidden=!t,!t)return;let{model:e,world:n,root:s}=this.app,r=s.getBoundingClientRect(),o=[];e.bodies.names.forEach((c,h)=>{o.length<4*_d&&n.looks[h]!==2&&o.push([c,n.toScreen(n.middleOf(h).toArray()),"body"])}),n.visible.joints&&e.joints.names.forEach((c,h)=>{o.length<8*_d&&o.push([c,n.toScreen(n.jointPoint(h)),"joint"])});let a=new Set,l=0;for(let[c,[h,d,u],f]of o){if(l===_d)break;let g=`${Math.round(h/90)},${Math.round(d/18)}`;if(u>1||h<r.left||h>r.right||d<r.top||d>r.bottom||a.has(g))continue;a.add(g);let x=this.names.children[l]||this.names.appendChild(it("span"));x.textContent!==c&&(x.textContent=c),x.className=f,x.hidden=!1,x.style.transform=`translate(${(h-r.left).toFixed(1)}px, ${(d-r.top).toFixed(1)}px)`,l++}for(let c=l;c<this.names.children.length;c++)this.names.children[c].hidden=!0}point(t,e){let n=this.wordsAt(t,e);if(this.tip.hidden=n==="",n==="")return;this.tip.textContent=n;let s=this.app.root.getBoundingClientRect(),r=Math.min(t-s.left+14,s.width-this.tip.offsetWidth-8);this.tip.style.transform=`translate(${r.toFixed(0)}px, ${(e-s.top+16).toFixed(0)}px)`}wordsAt(t,e){let{world:n,model:s}=this.app;if(!n.frame)return"";let r=n.pickArrow(t,e);if(r){let l=r.key==="moment"?"N m":"N";return`${r.joint!==void 0?s.joints.names[r.joint]:r.wrench!==void 0?s.wrenches[r.wrench].name:cS(s,r)}: ${$e(r.size,4)} ${l}`}let o=n.pickJoint(t,e);if(o>=0)return`${s.joints.names[o]}, ${s.joints.kinds[o]}`;let a=s.parts.body.length<=2e4?n.pick(t,e):null;return a?s.bodies.names[a.body]:""}hideTip(){this.tip.hidden=!0}};var ih=class{constructor(t){let e=t.bodies.names.length,n=t.joints.names.length;this.poses=3,this.velocities=this.poses+7*e,this.loads=this.velocities+(t.detail?6*e:0),this.coordinates=this.loads+(t.detail?6*n:0),this.wrenches=this.coordinates+(t.detail?t.coordinateCount:0),this.skins=this.wrenches+(t.detail?6*t.wrenches.length:0);let s=t.deformables.reduce((r,o)=>r+o.points,0);this.ghost=this.skins+3*s,this.ghostSkins=this.ghost+7*e,this.total=-1}};function Cm(i){let t=new DataView(i),e=t.getUint32(24,!0),n=t.getUint32(28,!0);return{seq:t.getUint32(4,!0),index:t.getUint32(8,!0),count:t.getUint32(12,!0),time:t.getFloat64(16,!0),hasGhost:(t.getUint32(32,!0)&1)!==0,values:new Float32Array(i,40,e),contacts:new Float32Array(i,40+4*e,8*n)}}function Pm(i){let t=i.indexOf(`
`),e=i.slice(0,t<0?i.length:t).trim().split(",").map(r=>r.replace(/^"|"$/g,""));if(e[0]!=="t")throw new Error("it is no recording: its first column is not t");let n=i.slice(t+1).split(`
`),s=[];for(let r of n){if(r.trim()==="")continue;let o=r.split(",");if(o.length!==e.length)break;s.push(o)}if(s.length===0)throw new Error("there is no recorded state in it");return{names:e,rows:s}}function Im({names:i,rows:t},e){let n=new Map(i.map((c,h)=>[c,h])),s=e.map(c=>["px","py","pz","qw","qx","qy","qz"].map(h=>n.get(`${c}.${h}`))),r=s.filter(c=>c.every(h=>h!==void 0)).length;if(r===0)throw new Error("it has no body of this model");let o=7*e.length,a=new Float32Array(o*t.length).fill(NaN),l=new Float64Array(t.length);return t.forEach((c,h)=>{l[h]=+c[0],s.forEach((d,u)=>{d.some(f=>f===void 0)||d.forEach((f,g)=>a[h*o+7*u+g]=+c[f])})}),{times:l,values:a,width:o,found:r}}function hS(i,t){let e=0,n=i.length-1;for(;e<n;){let s=e+n+1>>1;i[s]<=t+1e-12?e=s:n=s-1}return e}var sh=class{constructor(t,e){this.name=t,Object.assign(this,e)}valuesAt(t){let e=hS(this.times,t);return this.values.subarray(e*this.width,(e+1)*this.width)}};var dn="u-",uS="uplot",dS=dn+"hz",fS=dn+"vt",pS=dn+"title",mS=dn+"wrap",gS=dn+"under",_S=dn+"over",xS=dn+"axis",xr=dn+"off",yS=dn+"select",vS=dn+"cursor-x",MS=dn+"cursor-y",SS=dn+"cursor-pt",bS=dn+"legend",wS=dn+"live",ES=dn+"inline",TS=dn+"series",AS=dn+"marker",Lm=dn+"label",RS=dn+"value",Ia="width",La="height",Ca="top",Dm="bottom",uo="left",xd="right",Ud="#000",Um=Ud+"0",Nm="mousemove",Fm="mousedown",yd="mouseup",Om="mouseenter",Bm="mouseleave",km="dblclick",CS="resize",PS="scroll",zm="change",ch="dppxchange",Nd="--",vo=typeof window<"u",wd=vo?document:null,po=vo?window:null,IS=vo?navigator:null,Me,rh;function Ed(){let i=devicePixelRatio;Me!=i&&(Me=i,rh&&Ad(zm,rh,Ed),rh=matchMedia(`(min-resolution: ${Me-.001}dppx) and (max-resolution: ${Me+.001}dppx)`),yr(zm,rh,Ed),po.dispatchEvent(new CustomEvent(ch)))}function ei(i,t){if(t!=null){let e=i.classList;!e.contains(t)&&e.add(t)}}function Td(i,t){let e=i.classList;e.contains(t)&&e.remove(t)}function Be(i,t,e){i.style[t]=e+"px"}function Ai(i,t,e,n){let s=wd.createElement(i);return t!=null&&ei(s,t),e?.insertBefore(s,n),s}function mi(i,t){return Ai("div",i,t)}var Hm=new WeakMap;function Wi(i,t,e,n,s){let r="translate("+t+"px,"+e+"px)",o=Hm.get(i);r!=o&&(i.style.transform=r,Hm.set(i,r),t<0||e<0||t>n||e>s?ei(i,xr):Td(i,xr))}var Vm=new WeakMap;function Gm(i,t,e){let n=t+e,s=Vm.get(i);n!=s&&(Vm.set(i,n),i.style.background=t,i.style.borderColor=e)}var Wm=new WeakMap;function Xm(i,t,e,n){let s=t+""+e,r=Wm.get(i);s!=r&&(Wm.set(i,s),i.style.height=e+"px",i.style.width=t+"px",i.style.marginLeft=n?-t/2+"px":0,i.style.marginTop=n?-e/2+"px":0)}var Fd={passive:!0},LS={...Fd,capture:!0};function yr(i,t,e,n){t.addEventListener(i,e,n?LS:Fd)}function Ad(i,t,e,n){t.removeEventListener(i,e,Fd)}vo&&Ed();function Ri(i,t,e,n){let s;e=e||0,n=n||t.length-1;let r=n<=2147483647;for(;n-e>1;)s=r?e+n>>1:ni((e+n)/2),t[s]<i?e=s:n=s;return i-t[e]<=t[n]-i?e:n}function mo(i,t,e,n){for(let s=n==1?t:e;s>=t&&s<=e;s+=n)if(i[s]!=null)return s;return-1}function DS(i,t,e,n){let s=ue,r=-ue;if(n==1)s=i[t],r=i[e];else if(n==-1)s=i[e],r=i[t];else for(let o=t;o<=e;o++){let a=i[o];a!=null&&(a<s&&(s=a),a>r&&(r=a))}return[s,r]}function US(i,t,e){let n=ue,s=-ue;for(let r=t;r<=e;r++){let o=i[r];o!=null&&o>0&&(o<n&&(n=o),o>s&&(s=o))}return[n,s]}function dh(i,t,e,n){let s=$m(i),r=$m(t);i==t&&(s==-1?(i*=e,t/=e):(i/=e,t*=e));let o=e==10?as:yg,a=s==1?ni:gi,l=r==1?gi:ni,c=a(o(un(i))),h=l(o(un(t))),d=go(e,c),u=go(e,h);return e==10&&(c<0&&(d=Ie(d,-c)),h<0&&(u=Ie(u,-h))),n||e==2?(i=d*s,t=u*r):(i=Sg(i,d),t=fh(t,u)),[i,t]}function Od(i,t,e,n){let s=dh(i,t,e,n);return i==0&&(s[0]=0),t==0&&(s[1]=0),s}var Bd=.1,qm={mode:3,pad:Bd},Ua={pad:0,soft:null,mode:0},NS={min:Ua,max:Ua};function hh(i,t,e,n){return ph(e)?Ym(i,t,e):(Ua.pad=e,Ua.soft=n?0:null,Ua.mode=n?3:0,Ym(i,t,NS))}function xe(i,t){return i??t}function FS(i,t,e){for(t=xe(t,0),e=xe(e,i.length-1);t<=e;){if(i[t]!=null)return!0;t++}return!1}function Ym(i,t,e){let n=e.min,s=e.max,r=xe(n.pad,0),o=xe(s.pad,0),a=xe(n.hard,-ue),l=xe(s.hard,ue),c=xe(n.soft,ue),h=xe(s.soft,-ue),d=xe(n.mode,0),u=xe(s.mode,0),f=t-i,g=as(f),x=Cn(un(i),un(t)),m=as(x),p=un(m-g);(f<1e-24||p>10)&&(f=0,(i==0||t==0)&&(f=1e-24,d==2&&c!=ue&&(r=0),u==2&&h!=-ue&&(o=0)));let T=f||x||1e3,b=as(T),S=go(10,ni(b)),P=T*(f==0?i==0?.1:1:r),R=Ie(Sg(i-P,S/10),24),L=i>=c&&(d==1||d==3&&R<=c||d==2&&R>=c)?c:ue,N=Cn(a,R<L&&i>=L?L:_i(L,R)),E=T*(f==0?t==0?.1:1:o),v=Ie(fh(t+E,S/10),24),A=t<=h&&(u==1||u==3&&v>=h||u==2&&v<=h)?h:-ue,V=_i(l,v>A&&t<=A?A:Cn(A,v));return N==V&&N==0&&(V=100),[N,V]}var OS=new Intl.NumberFormat(vo?IS.language:"en-US"),kd=i=>OS.format(i),ii=Math,lh=ii.PI,un=ii.abs,ni=ii.floor,hn=ii.round,gi=ii.ceil,_i=ii.min,Cn=ii.max,go=ii.pow,$m=ii.sign,as=ii.log10,yg=ii.log2,BS=(i,t=1)=>ii.sinh(i)*t,vd=(i,t=1)=>ii.asinh(i/t),ue=1/0;function Zm(i){return(as((i^i>>31)-(i>>31))|0)+1}function Rd(i,t,e){return _i(Cn(i,t),e)}function he(i){return typeof i=="function"?i:()=>i}var kS=()=>{},vg=i=>i,Mg=(i,t)=>t,zS=i=>null,Jm=i=>!0,Km=(i,t)=>i==t,HS=/\.\d*?(?=9{6,}|0{6,})/gm,vr=i=>{if(wg(i)||ks.has(i))return i;let t=`${i}`,e=t.match(HS);if(e==null)return i;let n=e[0].length-1;if(t.indexOf("e-")!=-1){let[s,r]=t.split("e");return+`${vr(s)}e${r}`}return Ie(i,n)};function gr(i,t){return vr(Ie(vr(i/t))*t)}function fh(i,t){return vr(gi(vr(i/t))*t)}function Sg(i,t){return vr(ni(vr(i/t))*t)}function Ie(i,t=0){if(wg(i))return i;let e=10**t,n=i*e*(1+Number.EPSILON);return hn(n)/e}var ks=new Map;function bg(i){return((""+i).split(".")[1]||"").length}function Fa(i,t,e,n){let s=[],r=n.map(bg);for(let o=t;o<e;o++){let a=un(o),l=Ie(go(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,d=(o>=0?0:a)+(o>=r[c]?0:r[c]),u=i==10?h:Ie(h,d);s.push(u),ks.set(u,d)}}return s}var Na={},zd=[],_o=[null,null],Bs=Array.isArray,wg=Number.isInteger,VS=i=>i===void 0;function jm(i){return typeof i=="string"}function ph(i){let t=!1;if(i!=null){let e=i.constructor;t=e==null||e==Object}return t}function GS(i){return i!=null&&typeof i=="object"}var WS=Object.getPrototypeOf(Uint8Array),Eg="__proto__";function xo(i,t=ph){let e;if(Bs(i)){let n=i.find(s=>s!=null);if(Bs(n)||t(n)){e=Array(i.length);for(let s=0;s<i.length;s++)e[s]=xo(i[s],t)}else e=i.slice()}else if(i instanceof WS)e=i.slice();else if(t(i)){e={};for(let n in i)n!=Eg&&(e[n]=xo(i[n],t))}else e=i;return e}function nn(i){let t=arguments;for(let e=1;e<t.length;e++){let n=t[e];for(let s in n)s!=Eg&&(ph(i[s])?nn(i[s],xo(n[s])):i[s]=xo(n[s]))}return i}var XS=0,qS=1,YS=2;function $S(i,t,e){for(let n=0,s,r=-1;n<t.length;n++){let o=t[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<e&&i[s]==null;)i[r=s++]=null}}}function ZS(i,t){if(jS(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return QS(o[0])||(o=KS(o)),o}let e=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)e.add(l[h])}let n=[Array.from(e).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],d=Array(s).fill(void 0),u=t?t[o][c]:qS,f=[];for(let g=0;g<h.length;g++){let x=h[g],m=r.get(l[g]);x===null?u!=XS&&(d[m]=x,u==YS&&f.push(m)):d[m]=x}$S(d,f,s),n.push(d)}}return n}var JS=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function KS(i){let t=i[0],e=t.length,n=Array(e);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>t[r]-t[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(e);for(let l=0;l<e;l++)a[l]=o[n[l]];s.push(a)}return s}function jS(i){let t=i[0][0],e=t.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=e)return!1;if(s!=t){for(let r=0;r<e;r++)if(s[r]!=t[r])return!1}}return!0}function QS(i,t=100){let e=i.length;if(e<=1)return!0;let n=0,s=e-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Cn(1,ni((s-n+1)/t));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var Tg=["January","February","March","April","May","June","July","August","September","October","November","December"],Ag=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function Rg(i){return i.slice(0,3)}var tb=Ag.map(Rg),eb=Tg.map(Rg),nb={MMMM:Tg,MMM:eb,WWWW:Ag,WWW:tb};function Pa(i){return(i<10?"0":"")+i}function ib(i){return(i<10?"00":i<100?"0":"")+i}var sb={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,t)=>t.MMMM[i.getMonth()],MMM:(i,t)=>t.MMM[i.getMonth()],MM:i=>Pa(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Pa(i.getDate()),D:i=>i.getDate(),WWWW:(i,t)=>t.WWWW[i.getDay()],WWW:(i,t)=>t.WWW[i.getDay()],HH:i=>Pa(i.getHours()),H:i=>i.getHours(),h:i=>{let t=i.getHours();return t==0?12:t>12?t-12:t},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Pa(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Pa(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>ib(i.getMilliseconds())};function Hd(i,t){t=t||nb;let e=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)e.push(s[0][0]=="{"?sb[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<e.length;a++)o+=typeof e[a]=="string"?e[a]:e[a](r,t);return o}}var rb=new Intl.DateTimeFormat().resolvedOptions().timeZone;function ob(i,t){let e;return t=="UTC"||t=="Etc/UTC"?e=new Date(+i+i.getTimezoneOffset()*6e4):t==rb?e=i:(e=new Date(i.toLocaleString("en-US",{timeZone:t})),e.setMilliseconds(i.getMilliseconds())),e}var Cg=i=>i%1==0,uh=[1,2,2.5,5],ab=Fa(10,-32,0,uh),Pg=Fa(10,0,32,uh),lb=Pg.filter(Cg),_r=ab.concat(Pg),Vd=`
`,Ig="{YYYY}",Qm=Vd+Ig,Lg="{M}/{D}",Da=Vd+Lg,oh=Da+"/{YY}",Dg="{aa}",cb="{h}:{mm}",fo=cb+Dg,tg=Vd+fo,eg=":{ss}",be=null;function Ug(i){let t=i*1e3,e=t*60,n=e*60,s=n*24,r=s*30,o=s*365,l=(i==1?Fa(10,0,3,uh).filter(Cg):Fa(10,-3,0,uh)).concat([t,t*5,t*10,t*15,t*30,e,e*5,e*10,e*15,e*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,Ig,be,be,be,be,be,be,1],[s*28,"{MMM}",Qm,be,be,be,be,be,1],[s,Lg,Qm,be,be,be,be,be,1],[n,"{h}"+Dg,oh,be,Da,be,be,be,1],[e,fo,oh,be,Da,be,be,be,1],[t,eg,oh+" "+fo,be,Da+" "+fo,be,tg,be,1],[i,eg+".{fff}",oh+" "+fo,be,Da+" "+fo,be,tg,be,1]];function h(d){return(u,f,g,x,m,p)=>{let T=[],b=m>=o,S=m>=r&&m<o,P=d(g),R=Ie(P*i,3),L=Md(P.getFullYear(),b?0:P.getMonth(),S||b?1:P.getDate()),N=Ie(L*i,3);if(S||b){let E=S?m/r:0,v=b?m/o:0,A=R==N?R:Ie(Md(L.getFullYear()+v,L.getMonth()+E,1)*i,3),V=new Date(hn(A/i)),z=V.getFullYear(),W=V.getMonth();for(let Z=0;A<=x;Z++){let Y=Md(z+v*Z,W+E*Z,1),et=Y-d(Ie(Y*i,3));A=Ie((+Y+et)*i,3),A<=x&&T.push(A)}}else{let E=m>=s?s:m,v=ni(g)-ni(R),A=N+v+fh(R-N,E);T.push(A);let V=d(A),z=V.getHours()+V.getMinutes()/e+V.getSeconds()/n,W=m/n,Z=u.axes[f]._space,Y=p/Z;for(;A=Ie(A+m,i==1?0:3),!(A>x);)if(W>1){let et=ni(Ie(z+W,6))%24,ot=d(A).getHours()-et;ot>1&&(ot=-1),A-=ot*n,z=(z+W)%24;let mt=T[T.length-1];Ie((A-mt)/m,3)*Y>=.7&&T.push(A)}else T.push(A)}return T}}return[l,c,h]}var[hb,ub,db]=Ug(1),[fb,pb,mb]=Ug(.001);Fa(2,-53,53,[1]);function ng(i,t){return i.map(e=>e.map((n,s)=>s==0||s==8||n==null?n:t(s==1||e[8]==0?n:e[1]+n)))}function ig(i,t){return(e,n,s,r,o)=>{let a=t.find(g=>o>=g[0])||t[t.length-1],l,c,h,d,u,f;return n.map(g=>{let x=i(g),m=x.getFullYear(),p=x.getMonth(),T=x.getDate(),b=x.getHours(),S=x.getMinutes(),P=x.getSeconds(),R=m!=l&&a[2]||p!=c&&a[3]||T!=h&&a[4]||b!=d&&a[5]||S!=u&&a[6]||P!=f&&a[7]||a[1];return l=m,c=p,h=T,d=b,u=S,f=P,R(x)})}}function gb(i,t){let e=Hd(t);return(n,s,r,o,a)=>s.map(l=>e(i(l)))}function Md(i,t,e){return new Date(i,t,e)}function sg(i,t){return t(i)}var _b="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function rg(i,t){return(e,n,s,r)=>r==null?Nd:t(i(n))}function xb(i,t){let e=i.series[t];return e.width?e.stroke(i,t):e.points.width?e.points.stroke(i,t):null}function yb(i,t){return i.series[t].fill(i,t)}var vb={show:!0,live:!0,isolate:!1,mount:kS,markers:{show:!0,width:2,stroke:xb,fill:yb,dash:"solid"},idx:null,idxs:null,values:[]};function Mb(i,t){let e=i.cursor.points,n=mi(),s=e.size(i,t);Be(n,Ia,s),Be(n,La,s);let r=s/-2;Be(n,"marginLeft",r),Be(n,"marginTop",r);let o=e.width(i,t,s);return o&&Be(n,"borderWidth",o),n}function Sb(i,t){let e=i.series[t].points;return e._fill||e._stroke}function bb(i,t){let e=i.series[t].points;return e._stroke||e._fill}function wb(i,t){return i.series[t].points.size}var Sd=[0,0];function Eb(i,t,e){return Sd[0]=t,Sd[1]=e,Sd}function ah(i,t,e,n=!0){return s=>{s.button==0&&(!n||s.target==t)&&e(s)}}function bd(i,t,e,n=!0){return s=>{(!n||s.target==t)&&e(s)}}var Tb={show:!0,x:!0,y:!0,lock:!1,move:Eb,points:{one:!1,show:Mb,size:wb,width:0,stroke:bb,fill:Sb},bind:{mousedown:ah,mouseup:ah,click:ah,dblclick:ah,mousemove:bd,mouseleave:bd,mouseenter:bd},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,t,e,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},Ng={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},Gd=nn({},Ng,{filter:Mg}),Fg=nn({},Gd,{size:10}),Og=nn({},Ng,{show:!1}),Wd='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',Bg="bold "+Wd,kg=1.5,og={show:!0,scale:"x",stroke:Ud,space:50,gap:5,size:50,labelGap:0,labelSize:30,labelFont:Bg,side:2,grid:Gd,ticks:Fg,border:Og,font:Wd,lineGap:kg,rotate:0},Ab="Value",Rb="Time",ag={show:!0,scale:"x",auto:!1,sorted:1,min:ue,max:-ue,idxs:[]};function Cb(i,t,e,n,s){return t.map(r=>r==null?"":kd(r))}function Pb(i,t,e,n,s,r,o){let a=[],l=ks.get(s)||0;e=o?e:Ie(fh(e,s),l);for(let c=e;c<=n;c=Ie(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Cd(i,t,e,n,s,r,o){let a=[],l=i.scales[i.axes[t].scale].log,c=l==10?as:yg,h=ni(c(e));s=go(l,h),l==10&&(s=_r[Ri(s,_r)]);let d=e,u=s*l;l==10&&(u=_r[Ri(u,_r)]);do a.push(d),d=d+s,l==10&&!ks.has(d)&&(d=Ie(d,ks.get(s))),d>=u&&(s=d,u=s*l,l==10&&(u=_r[Ri(u,_r)]));while(d<=n);return a}function Ib(i,t,e,n,s,r,o){let l=i.scales[i.axes[t].scale].asinh,c=n>l?Cd(i,t,Cn(l,e),n,s):[l],h=n>=0&&e<=0?[0]:[];return(e<-l?Cd(i,t,Cn(l,-n),-e,s):[l]).reverse().map(u=>-u).concat(h,c)}var zg=/./,Lb=/[12357]/,Db=/[125]/,lg=/1/,Pd=(i,t,e,n)=>i.map((s,r)=>t==4&&s==0||r%n==0&&e.test(s.toExponential()[s<0?1:0])?s:null);function Ub(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),d=l(9,o)-h>=c?zg:l(7,o)-h>=c?Lb:l(5,o)-h>=c?Db:lg;if(d==lg){let u=un(l(1,o)-h);if(u<c)return Pd(t.slice().reverse(),a.distr,d,gi(c/u)).reverse()}return Pd(t,a.distr,d,1)}function Nb(i,t,e,n,s){let r=i.axes[e],o=r.scale,a=r._space,l=i.valToPos,c=un(l(1,o)-l(2,o));return c<a?Pd(t.slice().reverse(),3,zg,gi(a/c)).reverse():t}function Fb(i,t,e,n){return n==null?Nd:t==null?"":kd(t)}var cg={show:!0,scale:"y",stroke:Ud,space:30,gap:5,size:50,labelGap:0,labelSize:30,labelFont:Bg,side:3,grid:Gd,ticks:Fg,border:Og,font:Wd,lineGap:kg,rotate:0};function Ob(i,t){let e=3+(i||1)*2;return Ie(e*t,3)}function Bb(i,t){let{scale:e,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],e,!0),o=i.valToPos(s[n[1]],e,!0),a=un(o-r),l=i.series[t],c=a/(l.points.space*Me);return n[1]-n[0]<=c}var hg={scale:null,auto:!0,sorted:0,min:ue,max:-ue},Hg=(i,t,e,n,s)=>s,ug={show:!0,auto:!0,sorted:0,gaps:Hg,alpha:1,facets:[nn({},hg,{scale:"x"}),nn({},hg,{scale:"y"})]},dg={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Hg,alpha:1,points:{show:Bb,filter:null},values:null,min:ue,max:-ue,idxs:[],path:null,clip:null};function kb(i,t,e,n,s){return e/10}var Vg={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},zb=nn({},Vg,{time:!1,ori:1}),fg={};function Gg(i,t){let e=fg[i];return e||(e={key:i,plots:[],sub(n){e.plots.push(n)},unsub(n){e.plots=e.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<e.plots.length;h++)e.plots[h]!=s&&e.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(fg[i]=e)),e}var yo=1,Id=2;function Mr(i,t,e){let n=i.mode,s=i.series[t],r=n==2?i._data[t]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[t],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],d=n==2?o[s.facets[1].scale]:o[s.scale],u=a.left,f=a.top,g=a.width,x=a.height,m=i.valToPosH,p=i.valToPosV;return h.ori==0?e(s,l,c,h,d,m,p,u,f,g,x,gh,Mo,xh,Xg,Yg):e(s,l,c,h,d,p,m,f,u,x,g,_h,So,Yd,qg,$g)}function Xd(i,t){let e=0,n=0,s=xe(i.bands,zd);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==t?e=o.dir:o.series[1]==t&&(o.dir==1?n|=1:n|=2)}return[e,n==1?-1:n==2?1:n==3?2:0]}function Hb(i,t,e,n,s){let r=i.mode,o=i.series[t],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function ls(i,t,e,n,s,r){return Mr(i,t,(o,a,l,c,h,d,u,f,g,x,m)=>{let p=o.pxRound,T=c.dir*(c.ori==0?1:-1),b=c.ori==0?Mo:So,S,P;T==1?(S=e,P=n):(S=n,P=e);let R=p(d(a[S],c,x,f)),L=p(u(l[S],h,m,g)),N=p(d(a[P],c,x,f)),E=p(u(r==1?h.max:h.min,h,m,g)),v=new Path2D(s);return b(v,N,E),b(v,R,E),b(v,R,L),v})}function mh(i,t,e,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=t==0?xh:Yd,l=e;for(let d=0;d<i.length;d++){let u=i[d];if(u[1]>u[0]){let f=u[0]-l;f>0&&a(o,l,n,f,n+r),l=u[1]}}let c=e+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function Vb(i,t,e){let n=i[i.length-1];n&&n[0]==t?n[1]=e:i.push([t,e])}function qd(i,t,e,n,s,r,o){let a=[],l=i.length;for(let c=s==1?e:n;c>=e&&c<=n;c+=s)if(t[c]===null){let d=c,u=c;if(s==1)for(;++c<=n&&t[c]===null;)u=c;else for(;--c>=e&&t[c]===null;)u=c;let f=r(i[d]),g=u==d?f:r(i[u]),x=d-s;f=o<=0&&x>=0&&x<l?r(i[x]):f;let p=u+s;g=o>=0&&p>=0&&p<l?r(i[p]):g,g>=f&&a.push([f,g])}return a}function pg(i){return i==0?vg:i==1?hn:t=>gr(t,i)}function Wg(i){let t=i==0?gh:_h,e=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=_i(c,a/2,l/2),h=_i(h,a/2,l/2),t(s,r+c,o),e(s,r+a,o,r+a,o+l,c),e(s,r+a,o+l,r,o+l,h),e(s,r,o+l,r,o,h),e(s,r,o,r+a,o,c),s.closePath())}}var gh=(i,t,e)=>{i.moveTo(t,e)},_h=(i,t,e)=>{i.moveTo(e,t)},Mo=(i,t,e)=>{i.lineTo(t,e)},So=(i,t,e)=>{i.lineTo(e,t)},xh=Wg(0),Yd=Wg(1),Xg=(i,t,e,n,s,r)=>{i.arc(t,e,n,s,r)},qg=(i,t,e,n,s,r)=>{i.arc(e,t,n,s,r)},Yg=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(t,e,n,s,r,o)},$g=(i,t,e,n,s,r,o)=>{i.bezierCurveTo(e,t,s,n,o,r)};function Zg(i){return(t,e,n,s,r)=>Mr(t,e,(o,a,l,c,h,d,u,f,g,x,m)=>{let{pxRound:p,points:T}=o,b,S;c.ori==0?(b=gh,S=Xg):(b=_h,S=qg);let P=Ie(T.width*Me,3),R=(T.size-T.width)/2*Me,L=Ie(R*2,3),N=new Path2D,E=new Path2D,{left:v,top:A,width:V,height:z}=t.bbox;xh(E,v-L,A-L,V+L*2,z+L*2);let W=Z=>{if(l[Z]!=null){let Y=p(d(a[Z],c,x,f)),et=p(u(l[Z],h,m,g));b(N,Y+R,et),S(N,Y,et,R,0,lh*2)}};if(r)r.forEach(W);else for(let Z=n;Z<=s;Z++)W(Z);return{stroke:P>0?N:null,fill:N,clip:E,flags:yo|Id}})}function Jg(i){return(t,e,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(t,e,n),r!=s&&o!=s&&i(t,e,s),i(t,e,o))}}var Gb=Jg(Mo),Wb=Jg(So);function Kg(i){let t=xe(i?.alignGaps,0);return(e,n,s,r)=>Mr(e,n,(o,a,l,c,h,d,u,f,g,x,m)=>{let p=o.pxRound,T=ft=>p(d(ft,c,x,f)),b=ft=>p(u(ft,h,m,g)),S,P;c.ori==0?(S=Mo,P=Gb):(S=So,P=Wb);let R=c.dir*(c.ori==0?1:-1),L={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:yo},N=L.stroke,E=ue,v=-ue,A,V,z,W=T(a[R==1?s:r]),Z=mo(l,s,r,1*R),Y=mo(l,s,r,-1*R),et=T(a[Z]),j=T(a[Y]),ut=!1;for(let ft=R==1?s:r;ft>=s&&ft<=r;ft+=R){let Wt=T(a[ft]),J=l[ft];Wt==W?J!=null?(V=b(J),E==ue&&(S(N,Wt,V),A=V),E=_i(V,E),v=Cn(V,v)):J===null&&(ut=!0):(E!=ue&&(P(N,W,E,v,A,V),z=W),J!=null?(V=b(J),S(N,Wt,V),E=v=A=V):(E=ue,v=-ue,J===null&&(ut=!0)),W=Wt)}E!=ue&&E!=v&&z!=W&&P(N,W,E,v,A,V);let[ot,mt]=Xd(e,n);if(o.fill!=null||ot!=0){let ft=L.fill=new Path2D(N),Wt=o.fillTo(e,n,o.min,o.max,ot),J=b(Wt);S(ft,j,J),S(ft,et,J)}if(!o.spanGaps){let ft=[];ut&&ft.push(...qd(a,l,s,r,R,T,t)),L.gaps=ft=o.gaps(e,n,s,r,ft),L.clip=mh(ft,c.ori,f,g,x,m)}return mt!=0&&(L.band=mt==2?[ls(e,n,s,r,N,-1),ls(e,n,s,r,N,1)]:ls(e,n,s,r,N,mt)),L})}function Xb(i){let t=xe(i.align,1),e=xe(i.ascDesc,!1),n=xe(i.alignGaps,0),s=xe(i.extend,!1);return(r,o,a,l)=>Mr(r,o,(c,h,d,u,f,g,x,m,p,T,b)=>{let S=c.pxRound,{left:P,width:R}=r.bbox,L=ot=>S(g(ot,u,T,m)),N=ot=>S(x(ot,f,b,p)),E=u.ori==0?Mo:So,v={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:yo},A=v.stroke,V=u.dir*(u.ori==0?1:-1);a=mo(d,a,l,1),l=mo(d,a,l,-1);let z=N(d[V==1?a:l]),W=L(h[V==1?a:l]),Z=W,Y=W;s&&t==-1&&(Y=P,E(A,Y,z)),E(A,W,z);for(let ot=V==1?a:l;ot>=a&&ot<=l;ot+=V){let mt=d[ot];if(mt==null)continue;let ft=L(h[ot]),Wt=N(mt);t==1?E(A,ft,z):E(A,Z,Wt),E(A,ft,Wt),z=Wt,Z=ft}let et=Z;s&&t==1&&(et=P+R,E(A,et,z));let[j,ut]=Xd(r,o);if(c.fill!=null||j!=0){let ot=v.fill=new Path2D(A),mt=c.fillTo(r,o,c.min,c.max,j),ft=N(mt);E(ot,et,ft),E(ot,Y,ft)}if(!c.spanGaps){let ot=[];ot.push(...qd(h,d,a,l,V,L,n));let mt=c.width*Me/2,ft=e||t==1?mt:-mt,Wt=e||t==-1?-mt:mt;ot.forEach(J=>{J[0]+=ft,J[1]+=Wt}),v.gaps=ot=c.gaps(r,o,a,l,ot),v.clip=mh(ot,u.ori,m,p,T,b)}return ut!=0&&(v.band=ut==2?[ls(r,o,a,l,A,-1),ls(r,o,a,l,A,1)]:ls(r,o,a,l,A,ut)),v})}function mg(i,t,e,n,s,r,o=ue){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(t[l]!==void 0){if(a!=null){let h=un(i[l]-i[a]);h<c&&(c=h,o=un(e(i[l],n,s,r)-e(i[a],n,s,r)))}a=l}}return o}function qb(i){i=i||Na;let t=xe(i.size,[.6,ue,1]),e=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=he(s),o=1-t[0],a=xe(t[1],ue),l=xe(t[2],1),c=xe(i.disp,Na),h=xe(i.each,f=>{}),{fill:d,stroke:u}=c;return(f,g,x,m)=>Mr(f,g,(p,T,b,S,P,R,L,N,E,v,A)=>{let V=p.pxRound,z=e,W=n*Me,Z=a*Me,Y=l*Me,et,j;S.ori==0?[et,j]=r(f,g):[j,et]=r(f,g);let ut=S.dir*(S.ori==0?1:-1),ot=S.ori==0?xh:Yd,mt=S.ori==0?h:(K,tt,Lt,gt,Mt,Yt,at)=>{h(K,tt,Lt,Mt,gt,at,Yt)},ft=xe(f.bands,zd).find(K=>K.series[0]==g),Wt=ft!=null?ft.dir:0,J=p.fillTo(f,g,p.min,p.max,Wt),ct=V(L(J,P,A,E)),Nt,dt,Ft,Vt=v,kt=V(p.width*Me),oe=!1,te=null,Ee=null,F=null,sn=null;d!=null&&(kt==0||u!=null)&&(oe=!0,te=d.values(f,g,x,m),Ee=new Map,new Set(te).forEach(K=>{K!=null&&Ee.set(K,new Path2D)}),kt>0&&(F=u.values(f,g,x,m),sn=new Map,new Set(F).forEach(K=>{K!=null&&sn.set(K,new Path2D)})));let{x0:ie,size:Kt}=c;if(ie!=null&&Kt!=null){z=1,T=ie.values(f,g,x,m),ie.unit==2&&(T=T.map(Lt=>f.posToVal(N+Lt*v,S.key,!0)));let K=Kt.values(f,g,x,m);Kt.unit==2?dt=K[0]*v:dt=R(K[0],S,v,N)-R(0,S,v,N),Vt=mg(T,b,R,S,v,N,Vt),Ft=Vt-dt+W}else Vt=mg(T,b,R,S,v,N,Vt),Ft=Vt*o+W,dt=Vt-Ft;Ft<1&&(Ft=0),kt>=dt/2&&(kt=0),Ft<5&&(V=vg);let Rt=Ft>0,Se=Vt-Ft-(Rt?kt:0);dt=V(Rd(Se,Y,Z)),Nt=(z==0?dt/2:z==ut?0:dt)-z*ut*((z==0?W/2:0)+(Rt?kt/2:0));let Ut={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},C=oe?null:new Path2D,y=null;if(ft!=null)y=f.data[ft.series[1]];else{let{y0:K,y1:tt}=c;K!=null&&tt!=null&&(b=tt.values(f,g,x,m),y=K.values(f,g,x,m))}let k=et*dt,nt=j*dt;for(let K=ut==1?x:m;K>=x&&K<=m;K+=ut){let tt=b[K];if(tt==null)continue;if(y!=null){let zt=y[K]??0;if(tt-zt==0)continue;ct=L(zt,P,A,E)}let Lt=S.distr!=2||c!=null?T[K]:K,gt=R(Lt,S,v,N),Mt=L(xe(tt,J),P,A,E),Yt=V(gt-Nt),at=V(Cn(Mt,ct)),_t=V(_i(Mt,ct)),Ot=at-_t;if(tt!=null){let zt=tt<0?nt:k,St=tt<0?k:nt;oe?(kt>0&&F[K]!=null&&ot(sn.get(F[K]),Yt,_t+ni(kt/2),dt,Cn(0,Ot-kt),zt,St),te[K]!=null&&ot(Ee.get(te[K]),Yt,_t+ni(kt/2),dt,Cn(0,Ot-kt),zt,St)):ot(C,Yt,_t+ni(kt/2),dt,Cn(0,Ot-kt),zt,St),mt(f,g,K,Yt-kt/2,_t,dt+kt,Ot)}}return kt>0?Ut.stroke=oe?sn:C:oe||(Ut._fill=p.width==0?p._fill:p._stroke??p._fill,Ut.width=0),Ut.fill=oe?Ee:C,Ut})}function Yb(i,t){let e=xe(t?.alignGaps,0);return(n,s,r,o)=>Mr(n,s,(a,l,c,h,d,u,f,g,x,m,p)=>{let T=a.pxRound,b=et=>T(u(et,h,m,g)),S=et=>T(f(et,d,p,x)),P,R,L;h.ori==0?(P=gh,L=Mo,R=Yg):(P=_h,L=So,R=$g);let N=h.dir*(h.ori==0?1:-1);r=mo(c,r,o,1),o=mo(c,r,o,-1);let E=b(l[N==1?r:o]),v=E,A=[],V=[];for(let et=N==1?r:o;et>=r&&et<=o;et+=N)if(c[et]!=null){let ut=l[et],ot=b(ut);A.push(v=ot),V.push(S(c[et]))}let z={stroke:i(A,V,P,L,R,T),fill:null,clip:null,band:null,gaps:null,flags:yo},W=z.stroke,[Z,Y]=Xd(n,s);if(a.fill!=null||Z!=0){let et=z.fill=new Path2D(W),j=a.fillTo(n,s,a.min,a.max,Z),ut=S(j);L(et,v,ut),L(et,E,ut)}if(!a.spanGaps){let et=[];et.push(...qd(l,c,r,o,N,b,e)),z.gaps=et=a.gaps(n,s,r,o,et),z.clip=mh(et,h.ori,g,x,m,p)}return Y!=0&&(z.band=Y==2?[ls(n,s,r,o,W,-1),ls(n,s,r,o,W,1)]:ls(n,s,r,o,W,Y)),z})}function $b(i){return Yb(Zb,i)}function Zb(i,t,e,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(e(a,i[0],t[0]),o==2)n(a,i[1],t[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),d=Array(o-1);for(let u=0;u<o-1;u++)h[u]=t[u+1]-t[u],d[u]=i[u+1]-i[u],c[u]=h[u]/d[u];l[0]=c[0];for(let u=1;u<o-1;u++)c[u]===0||c[u-1]===0||c[u-1]>0!=c[u]>0?l[u]=0:(l[u]=3*(d[u-1]+d[u])/((2*d[u]+d[u-1])/c[u-1]+(d[u]+2*d[u-1])/c[u]),isFinite(l[u])||(l[u]=0));l[o-1]=c[o-2];for(let u=0;u<o-1;u++)s(a,i[u]+d[u]/3,t[u]+l[u]*d[u]/3,i[u+1]-d[u]/3,t[u+1]-l[u+1]*d[u]/3,i[u+1],t[u+1])}return a}var Ld=new Set;function gg(){for(let i of Ld)i.syncRect(!0)}vo&&(yr(CS,po,gg),yr(PS,po,gg,!0),yr(ch,po,()=>{wn.pxRatio=Me}));var Jb=Kg(),Kb=Zg();function _g(i,t,e,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Dd(r,o,t,e))}function jb(i,t){return i.map((e,n)=>n==0?{}:nn({},t,e))}function Dd(i,t,e,n){return nn({},t==0?e:n,i)}function jg(i,t,e){return t==null?_o:[t,e]}var Qb=jg;function tw(i,t,e){return t==null?_o:hh(t,e,Bd,!0)}function Qg(i,t,e,n){return t==null?_o:dh(t,e,i.scales[n].log,!1)}var ew=Qg;function t0(i,t,e,n){return t==null?_o:Od(t,e,i.scales[n].log,!1)}var nw=t0;function iw(i,t,e,n,s){let r=Cn(Zm(i),Zm(t)),o=t-i,a=Ri(s/n*o,e);do{let l=e[a],c=n*l/o;if(c>=s&&r+(l<5?ks.get(l):0)<=17)return[l,c]}while(++a<e.length);return[0,0]}function xg(i){let t,e;return i=i.replace(/(\d+)px/,(n,s)=>(t=hn((e=+s)*Me))+"px"),[i,t,e]}function sw(i){i.show&&[i.font,i.labelFont].forEach(t=>{let e=Ie(t[2]*Me,1);t[0]=t[0].replace(/[0-9.]+px/,e+"px"),t[1]=e})}function wn(i,t,e){let n={mode:xe(i.mode,1)},s=n.mode;function r(_,M){return((M.distr==3?as(_>0?_:M.clamp(n,_,M.min,M.max,M.key)):M.distr==4?vd(_,M.asinh):M.distr==100?M.fwd(_):_)-M._min)/(M._max-M._min)}function o(_,M,I,D){let B=r(_,M);return D+I*(M.dir==-1?1-B:B)}function a(_,M,I,D){let B=r(_,M);return D+I*(M.dir==-1?B:1-B)}function l(_,M,I,D){return M.ori==0?o(_,M,I,D):a(_,M,I,D)}n.valToPosH=o,n.valToPosV=a;let c=!1;n.status=0;let h=n.root=mi(uS);if(i.id!=null&&(h.id=i.id),ei(h,i.class),i.title){let _=mi(pS,h);_.textContent=i.title}let d=Ai("canvas"),u=n.ctx=d.getContext("2d"),f=mi(mS,h);yr("click",f,_=>{_.target===x&&(Ue!=Rr||He!=Cr)&&Mn.click(n,_)},!0);let g=n.under=mi(gS,f);f.appendChild(d);let x=n.over=mi(_S,f);i=xo(i);let m=+xe(i.pxAlign,1),p=pg(m);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let T=i.ms||.001,b=n.series=s==1?_g(i.series||[],ag,dg,!1):jb(i.series||[null],ug),S=n.axes=_g(i.axes||[],og,cg,!0),P=n.scales={},R=n.bands=i.bands||[];R.forEach(_=>{_.fill=he(_.fill||null),_.dir=xe(_.dir,-1)});let L=s==2?b[1].facets[0].scale:b[0].scale,N={axes:g0,series:Pn},E=(i.drawOrder||["axes","series"]).map(_=>N[_]);function v(_){let M=P[_];if(M==null){let I=(i.scales||Na)[_]||Na;if(I.from!=null)v(I.from),P[_]=nn({},P[I.from],I,{key:_});else{M=P[_]=nn({},_==L?Vg:zb,I),M.key=_;let D=M.time,B=M.range,q=Bs(B);if((_!=L||s==2&&!D)&&(q&&(B[0]==null||B[1]==null)&&(B={min:B[0]==null?qm:{mode:1,hard:B[0],soft:B[0]},max:B[1]==null?qm:{mode:1,hard:B[1],soft:B[1]}},q=!1),!q&&ph(B))){let st=B;B=(lt,pt,Tt)=>pt==null?_o:hh(pt,Tt,st)}M.range=he(B||(D?Qb:_==L?M.distr==3?ew:M.distr==4?nw:jg:M.distr==3?Qg:M.distr==4?t0:tw)),M.auto=he(q?!1:M.auto),M.clamp=he(M.clamp||kb),M._min=M._max=null}}}v("x"),v("y"),s==1&&b.forEach(_=>{v(_.scale)}),S.forEach(_=>{v(_.scale)});for(let _ in i.scales)v(_);let A=P[L],V=A.distr,z,W;A.ori==0?(ei(h,dS),z=o,W=a):(ei(h,fS),z=a,W=o);let Z={};for(let _ in P){let M=P[_];(M.min!=null||M.max!=null)&&(Z[_]={min:M.min,max:M.max},M.min=M.max=null)}let Y=i.tzDate||(_=>new Date(hn(_/T))),et=i.fmtDate||Hd,j=T==1?db(Y):mb(Y),ut=ig(Y,ng(T==1?ub:pb,et)),ot=rg(Y,sg(_b,et)),mt=[],ft=n.legend=nn({},vb,i.legend),Wt=ft.show,J=ft.markers;ft.idxs=mt,J.width=he(J.width),J.dash=he(J.dash),J.stroke=he(J.stroke),J.fill=he(J.fill);let ct,Nt,dt,Ft=[],Vt=[],kt,oe=!1,te={};if(ft.live){let _=b[1]?b[1].values:null;oe=_!=null,kt=oe?_(n,1,0):{_:0};for(let M in kt)te[M]=Nd}if(Wt)if(ct=Ai("table",bS,h),dt=Ai("tbody",null,ct),ft.mount(n,ct),oe){Nt=Ai("thead",null,ct,dt);let _=Ai("tr",null,Nt);Ai("th",null,_);for(var Ee in kt)Ai("th",Lm,_).textContent=Ee}else ei(ct,ES),ft.live&&ei(ct,wS);let F={show:!0},sn={show:!1};function ie(_,M){if(M==0&&(oe||!ft.live||s==2))return _o;let I=[],D=Ai("tr",TS,dt,dt.childNodes[M]);ei(D,_.class),_.show||ei(D,xr);let B=Ai("th",null,D);if(J.show){let lt=mi(AS,B);if(M>0){let pt=J.width(n,M);pt&&(lt.style.border=pt+"px "+J.dash(n,M)+" "+J.stroke(n,M)),lt.style.background=J.fill(n,M)}}let q=mi(Lm,B);q.textContent=_.label,M>0&&(J.show||(q.style.color=_.width>0?J.stroke(n,M):J.fill(n,M)),Rt("click",B,lt=>{if(Ct._lock)return;ae(lt);let pt=b.indexOf(_);if((lt.ctrlKey||lt.metaKey)!=ft.isolate){let Tt=b.some((At,Pt)=>Pt>0&&Pt!=pt&&At.show);b.forEach((At,Pt)=>{Pt>0&&Li(Pt,Tt?Pt==pt?F:sn:F,!0,je.setSeries)})}else Li(pt,{show:!_.show},!0,je.setSeries)},!1),Xi&&Rt(Om,B,lt=>{Ct._lock||(ae(lt),Li(b.indexOf(_),Ir,!0,je.setSeries))},!1));for(var st in kt){let lt=Ai("td",RS,D);lt.textContent="--",I.push(lt)}return[D,I]}let Kt=new Map;function Rt(_,M,I,D=!0){let B=Kt.get(M)||{},q=Ct.bind[_](n,M,I,D);q&&(yr(_,M,B[_]=q),Kt.set(M,B))}function Se(_,M,I){let D=Kt.get(M)||{};for(let B in D)(_==null||B==_)&&(Ad(B,M,D[B]),delete D[B]);_==null&&Kt.delete(M)}let Ut=0,C=0,y=0,k=0,nt=0,K=0,tt=nt,Lt=K,gt=y,Mt=k,Yt=0,at=0,_t=0,Ot=0;n.bbox={};let zt=!1,St=!1,ne=!1,$t=!1,ye=!1,O=!1;function yt(_,M,I){(I||_!=n.width||M!=n.height)&&Q(_,M),wr(!1),ne=!0,St=!0,Er()}function Q(_,M){n.width=Ut=y=_,n.height=C=k=M,nt=K=0,jt(),ke();let I=n.bbox;Yt=I.left=gr(nt*Me,.5),at=I.top=gr(K*Me,.5),_t=I.width=gr(y*Me,.5),Ot=I.height=gr(k*Me,.5)}let rt=3;function Et(){let _=!1,M=0;for(;!_;){M++;let I=p0(M),D=m0(M);_=M==rt||I&&D,_||(Q(n.width,n.height),St=!0)}}function bt({width:_,height:M}){yt(_,M)}n.setSize=bt;function jt(){let _=!1,M=!1,I=!1,D=!1;S.forEach((B,q)=>{if(B.show&&B._show){let{side:st,_size:lt}=B,pt=st%2,Tt=B.label!=null?B.labelSize:0,At=lt+Tt;At>0&&(pt?(y-=At,st==3?(nt+=At,D=!0):I=!0):(k-=At,st==0?(K+=At,_=!0):M=!0))}}),Pi[0]=_,Pi[1]=I,Pi[2]=M,Pi[3]=D,y-=Ii[1]+Ii[3],nt+=Ii[3],k-=Ii[2]+Ii[0],K+=Ii[0]}function ke(){let _=nt+y,M=K+k,I=nt,D=K;function B(q,st){switch(q){case 1:return _+=st,_-st;case 2:return M+=st,M-st;case 3:return I-=st,I+st;case 0:return D-=st,D+st}}S.forEach((q,st)=>{if(q.show&&q._show){let lt=q.side;q._pos=B(lt,q._size),q.label!=null&&(q._lpos=B(lt,q.labelSize))}})}let Ct=n.cursor=nn({},Tb,{drag:{y:s==2}},i.cursor);if(Ct.dataIdx==null){let _=Ct.hover,M=_.skip=new Set(_.skip??[]);M.add(void 0);let I=_.prox=he(_.prox),D=_.bias??(_.bias=0);Ct.dataIdx=(B,q,st,lt)=>{if(q==0)return st;let pt=st,Tt=I(B,q,st,lt)??ue,At=Tt>=0&&Tt<ue,Pt=A.ori==0?y:k,Jt=Ct.left,Pe=t[0],fe=t[q];if(M.has(fe[st])){pt=null;let ce=null,Qt=null,Bt;if(D==0||D==-1)for(Bt=st;ce==null&&Bt-- >0;)M.has(fe[Bt])||(ce=Bt);if(D==0||D==1)for(Bt=st;Qt==null&&Bt++<fe.length;)M.has(fe[Bt])||(Qt=Bt);if(ce!=null||Qt!=null)if(At){let Ae=ce==null?-1/0:z(Pe[ce],A,Pt,0),Ye=Qt==null?1/0:z(Pe[Qt],A,Pt,0),We=Jt-Ae,Fe=Ye-Jt;We<=Fe?We<=Tt&&(pt=ce):Fe<=Tt&&(pt=Qt)}else pt=Qt==null?ce:ce==null?Qt:st-ce<=Qt-st?ce:Qt}else At&&un(Jt-z(Pe[st],A,Pt,0))>Tt&&(pt=null);return pt}}let ae=_=>{Ct.event=_};Ct.idxs=mt,Ct._lock=!1;let Te=Ct.points;Te.show=he(Te.show),Te.size=he(Te.size),Te.stroke=he(Te.stroke),Te.width=he(Te.width),Te.fill=he(Te.fill);let pn=n.focus=nn({},i.focus||{alpha:.3},Ct.focus),Xi=pn.prox>=0,qi=Xi&&Te.one,Je=[],Ci=[],Yi=[];function Eo(_,M){let I=Te.show(n,M);if(I)return ei(I,SS),ei(I,_.class),Wi(I,-10,-10,y,k),x.insertBefore(I,Je[M]),I}function Hs(_,M){if(s==1||M>0){let I=s==1&&P[_.scale].time,D=_.value;_.value=I?jm(D)?rg(Y,sg(D,et)):D||ot:D||Fb,_.label=_.label||(I?Rb:Ab)}if(qi||M>0){_.width=_.width==null?1:_.width,_.paths=_.paths||Jb||zS,_.fillTo=he(_.fillTo||Hb),_.pxAlign=+xe(_.pxAlign,m),_.pxRound=pg(_.pxAlign),_.stroke=he(_.stroke||null),_.fill=he(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let I=Ob(Cn(1,_.width),1),D=_.points=nn({},{size:I,width:Cn(1,I*.2),stroke:_.stroke,space:I*2,paths:Kb,_stroke:null,_fill:null},_.points);D.show=he(D.show),D.filter=he(D.filter),D.fill=he(D.fill),D.stroke=he(D.stroke),D.paths=he(D.paths),D.pxAlign=_.pxAlign}if(Wt){let I=ie(_,M);Ft.splice(M,0,I[0]),Vt.splice(M,0,I[1]),ft.values.push(null)}if(Ct.show){mt.splice(M,0,null);let I=null;qi?M==0&&(I=Eo(_,M)):M>0&&(I=Eo(_,M)),Je.splice(M,0,I),Ci.splice(M,0,0),Yi.splice(M,0,0)}_n("addSeries",M)}function Ba(_,M){M=M??b.length,_=s==1?Dd(_,M,ag,dg):Dd(_,M,{},ug),b.splice(M,0,_),Hs(b[M],M)}n.addSeries=Ba;function br(_){if(b.splice(_,1),Wt){ft.values.splice(_,1),Vt.splice(_,1);let M=Ft.splice(_,1)[0];Se(null,M.firstChild),M.remove()}Ct.show&&(mt.splice(_,1),Je.splice(_,1)[0].remove(),Ci.splice(_,1),Yi.splice(_,1)),_n("delSeries",_)}n.delSeries=br;let Pi=[!1,!1,!1,!1];function ka(_,M){if(_._show=_.show,_.show){let I=_.side%2,D=P[_.scale];D==null&&(_.scale=I?b[1].scale:L,D=P[_.scale]);let B=D.time;_.size=he(_.size),_.space=he(_.space),_.rotate=he(_.rotate),Bs(_.incrs)&&_.incrs.forEach(st=>{!ks.has(st)&&ks.set(st,bg(st))}),_.incrs=he(_.incrs||(D.distr==2?lb:B?T==1?hb:fb:_r)),_.splits=he(_.splits||(B&&D.distr==1?j:D.distr==3?Cd:D.distr==4?Ib:Pb)),_.stroke=he(_.stroke),_.grid.stroke=he(_.grid.stroke),_.ticks.stroke=he(_.ticks.stroke),_.border.stroke=he(_.border.stroke);let q=_.values;_.values=Bs(q)&&!Bs(q[0])?he(q):B?Bs(q)?ig(Y,ng(q,et)):jm(q)?gb(Y,q):q||ut:q||Cb,_.filter=he(_.filter||(D.distr>=3&&D.log==10?Ub:D.distr==3&&D.log==2?Nb:Mg)),_.font=xg(_.font),_.labelFont=xg(_.labelFont),_._size=_.size(n,null,M,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(Pi[M]=!0,_._el=mi(xS,f))}}function Vs(_,M,I,D){let[B,q,st,lt]=I,pt=M%2,Tt=0;return pt==0&&(lt||q)&&(Tt=M==0&&!B||M==2&&!st?hn(og.size/3):0),pt==1&&(B||st)&&(Tt=M==1&&!q||M==3&&!lt?hn(cg.size/2):0),Tt}let za=n.padding=(i.padding||[Vs,Vs,Vs,Vs]).map(_=>he(xe(_,Vs))),Ii=n._padding=za.map((_,M)=>_(n,M,Pi,0)),rn,Ke=null,w=null,H=s==1?b[0].idxs:null,X=null,$=!1;function G(_,M){if(t=_??[],n.data=n._data=t,s==2){rn=0;for(let I=1;I<b.length;I++)rn+=t[I][0].length}else{t.length==0&&(n.data=n._data=t=[[]]),X=t[0],rn=X.length;let I=t;if(V==2){I=t.slice();let D=I[0]=Array(rn);for(let B=0;B<rn;B++)D[B]=B}n._data=t=I}if(wr(!0),_n("setData"),V==2&&(ne=!0),M!==!1){let I=A;I.auto(n,$)?ht():ms(L,I.min,I.max),$t=$t||Ct.left>=0,O=!0,Er()}}n.setData=G;function ht(){$=!0;let _,M;s==1&&(rn>0?(Ke=H[0]=0,w=H[1]=rn-1,_=t[0][Ke],M=t[0][w],V==2?(_=Ke,M=w):_==M&&(V==3?[_,M]=dh(_,_,A.log,!1):V==4?[_,M]=Od(_,_,A.log,!1):A.time?M=_+hn(86400/T):[_,M]=hh(_,M,Bd,!0))):(Ke=H[0]=_=null,w=H[1]=M=null)),ms(L,_,M)}let xt,wt,Dt,qt,Zt,Ht,le,pe,ze,_e;function de(_,M,I,D,B,q){_??(_=Um),I??(I=zd),D??(D="butt"),B??(B=Um),q??(q="round"),_!=xt&&(u.strokeStyle=xt=_),B!=wt&&(u.fillStyle=wt=B),M!=Dt&&(u.lineWidth=Dt=M),q!=Zt&&(u.lineJoin=Zt=q),D!=Ht&&(u.lineCap=Ht=D),I!=qt&&u.setLineDash(qt=I)}function Gt(_,M,I,D){M!=wt&&(u.fillStyle=wt=M),_!=le&&(u.font=le=_),I!=pe&&(u.textAlign=pe=I),D!=ze&&(u.textBaseline=ze=D)}function qe(_,M,I,D,B=0){if(D.length>0&&_.auto(n,$)&&(M==null||M.min==null)){let q=xe(Ke,0),st=xe(w,D.length-1),lt=I.min==null?_.distr==3?US(D,q,st):DS(D,q,st,B):[I.min,I.max];_.min=_i(_.min,I.min=lt[0]),_.max=Cn(_.max,I.max=lt[1])}}let me={min:null,max:null};function $n(){for(let D in P){let B=P[D];Z[D]==null&&(B.min==null||Z[L]!=null&&B.auto(n,$))&&(Z[D]=me)}for(let D in P){let B=P[D];Z[D]==null&&B.from!=null&&Z[B.from]!=null&&(Z[D]=me)}Z[L]!=null&&wr(!0);let _={};for(let D in Z){let B=Z[D];if(B!=null){let q=_[D]=xo(P[D],GS);if(B.min!=null)nn(q,B);else if(D!=L||s==2)if(rn==0&&q.from==null){let st=q.range(n,null,null,D);q.min=st[0],q.max=st[1]}else q.min=ue,q.max=-ue}}if(rn>0){b.forEach((D,B)=>{if(s==1){let q=D.scale,st=Z[q];if(st==null)return;let lt=_[q];if(B==0){let pt=lt.range(n,lt.min,lt.max,q);lt.min=pt[0],lt.max=pt[1],Ke=Ri(lt.min,t[0]),w=Ri(lt.max,t[0]),w-Ke>1&&(t[0][Ke]<lt.min&&Ke++,t[0][w]>lt.max&&w--),D.min=X[Ke],D.max=X[w]}else D.show&&D.auto&&qe(lt,st,D,t[B],D.sorted);D.idxs[0]=Ke,D.idxs[1]=w}else if(B>0&&D.show&&D.auto){let[q,st]=D.facets,lt=q.scale,pt=st.scale,[Tt,At]=t[B],Pt=_[lt],Jt=_[pt];Pt!=null&&qe(Pt,Z[lt],q,Tt,q.sorted),Jt!=null&&qe(Jt,Z[pt],st,At,st.sorted),D.min=st.min,D.max=st.max}});for(let D in _){let B=_[D],q=Z[D];if(B.from==null&&(q==null||q.min==null)){let st=B.range(n,B.min==ue?null:B.min,B.max==-ue?null:B.max,D);B.min=st[0],B.max=st[1]}}}for(let D in _){let B=_[D];if(B.from!=null){let q=_[B.from];if(q.min==null)B.min=B.max=null;else{let st=B.range(n,q.min,q.max,D);B.min=st[0],B.max=st[1]}}}let M={},I=!1;for(let D in _){let B=_[D],q=P[D];if(q.min!=B.min||q.max!=B.max){q.min=B.min,q.max=B.max;let st=q.distr;q._min=st==3?as(q.min):st==4?vd(q.min,q.asinh):st==100?q.fwd(q.min):q.min,q._max=st==3?as(q.max):st==4?vd(q.max,q.asinh):st==100?q.fwd(q.max):q.max,M[D]=I=!0}}if(I){b.forEach((D,B)=>{s==2?B>0&&M.y&&(D._paths=null):M[D.scale]&&(D._paths=null)});for(let D in M)ne=!0,_n("setScale",D);Ct.show&&Ct.left>=0&&($t=O=!0)}for(let D in Z)Z[D]=null}function us(_){let M=Rd(Ke-1,0,rn-1),I=Rd(w+1,0,rn-1);for(;_[M]==null&&M>0;)M--;for(;_[I]==null&&I<rn-1;)I++;return[M,I]}function Pn(){rn>0&&(b.forEach((_,M)=>{if(M>0&&_.show&&(ds(M,!1),ds(M,!0),_._paths==null)){_e!=_.alpha&&(u.globalAlpha=_e=_.alpha);let I=s==2?[0,t[M][0].length-1]:us(t[M]);_._paths=_.paths(n,M,I[0],I[1]),_e!=1&&(u.globalAlpha=_e=1)}}),b.forEach((_,M)=>{if(M>0&&_.show){_e!=_.alpha&&(u.globalAlpha=_e=_.alpha),_._paths!=null&&Ce(M,!1);{let I=_._paths!=null?_._paths.gaps:null,D=_.points.show(n,M,Ke,w,I),B=_.points.filter(n,M,D,I);(D||B)&&(_.points._paths=_.points.paths(n,M,Ke,w,B),Ce(M,!0))}_e!=1&&(u.globalAlpha=_e=1),_n("drawSeries",M)}}))}function ds(_,M){let I=M?b[_].points:b[_];I._stroke=I.stroke(n,_),I._fill=I.fill(n,_)}function Ce(_,M){let I=M?b[_].points:b[_],{stroke:D,fill:B,clip:q,flags:st,_stroke:lt=I._stroke,_fill:pt=I._fill,_width:Tt=I.width}=I._paths;Tt=Ie(Tt*Me,3);let At=null,Pt=Tt%2/2;M&&pt==null&&(pt=Tt>0?"#fff":lt);let Jt=I.pxAlign==1&&Pt>0;if(Jt&&u.translate(Pt,Pt),!M){let Pe=Yt-Tt/2,fe=at-Tt/2,ce=_t+Tt,Qt=Ot+Tt;At=new Path2D,At.rect(Pe,fe,ce,Qt)}M?on(lt,Tt,I.dash,I.cap,pt,D,B,st,q):On(_,lt,Tt,I.dash,I.cap,pt,D,B,st,At,q),Jt&&u.translate(-Pt,-Pt)}function On(_,M,I,D,B,q,st,lt,pt,Tt,At){let Pt=!1;pt!=0&&R.forEach((Jt,Pe)=>{if(Jt.series[0]==_){let fe=b[Jt.series[1]],ce=t[Jt.series[1]],Qt=(fe._paths||Na).band;Bs(Qt)&&(Qt=Jt.dir==1?Qt[0]:Qt[1]);let Bt,Ae=null;fe.show&&Qt&&FS(ce,Ke,w)?(Ae=Jt.fill(n,Pe)||q,Bt=fe._paths.clip):Qt=null,on(M,I,D,B,Ae,st,lt,pt,Tt,At,Bt,Qt),Pt=!0}}),Pt||on(M,I,D,B,q,st,lt,pt,Tt,At)}let In=yo|Id;function on(_,M,I,D,B,q,st,lt,pt,Tt,At,Pt){de(_,M,I,D,B),(pt||Tt||Pt)&&(u.save(),pt&&u.clip(pt),Tt&&u.clip(Tt)),Pt?(lt&In)==In?(u.clip(Pt),At&&u.clip(At),fs(B,st),an(_,q,M)):lt&Id?(fs(B,st),u.clip(Pt),an(_,q,M)):lt&yo&&(u.save(),u.clip(Pt),At&&u.clip(At),fs(B,st),u.restore(),an(_,q,M)):(fs(B,st),an(_,q,M)),(pt||Tt||Pt)&&u.restore()}function an(_,M,I){I>0&&(M instanceof Map?M.forEach((D,B)=>{u.strokeStyle=xt=B,u.stroke(D)}):M!=null&&_&&u.stroke(M))}function fs(_,M){M instanceof Map?M.forEach((I,D)=>{u.fillStyle=wt=D,u.fill(I)}):M!=null&&_&&u.fill(M)}function $i(_,M,I,D){let B=S[_],q;if(D<=0)q=[0,0];else{let st=B._space=B.space(n,_,M,I,D),lt=B._incrs=B.incrs(n,_,M,I,D,st);q=iw(M,I,lt,D,st)}return B._found=q}function Dh(_,M,I,D,B,q,st,lt,pt,Tt){let At=st%2/2;m==1&&u.translate(At,At),de(lt,st,pt,Tt,lt),u.beginPath();let Pt,Jt,Pe,fe,ce=B+(D==0||D==3?-q:q);I==0?(Jt=B,fe=ce):(Pt=B,Pe=ce);for(let Qt=0;Qt<_.length;Qt++)M[Qt]!=null&&(I==0?Pt=Pe=_[Qt]:Jt=fe=_[Qt],u.moveTo(Pt,Jt),u.lineTo(Pe,fe));u.stroke(),m==1&&u.translate(-At,-At)}function p0(_){let M=!0;return S.forEach((I,D)=>{if(!I.show)return;let B=P[I.scale];if(B.min==null){I._show&&(M=!1,I._show=!1,wr(!1));return}else I._show||(M=!1,I._show=!0,wr(!1));let q=I.side,st=q%2,{min:lt,max:pt}=B,[Tt,At]=$i(D,lt,pt,st==0?y:k);if(At==0)return;let Pt=B.distr==2,Jt=I._splits=I.splits(n,D,lt,pt,Tt,At,Pt),Pe=B.distr==2?Jt.map(Bt=>X[Bt]):Jt,fe=B.distr==2?X[Jt[1]]-X[Jt[0]]:Tt,ce=I._values=I.values(n,I.filter(n,Pe,D,At,fe),D,At,fe);I._rotate=q==2?I.rotate(n,ce,D,At):0;let Qt=I._size;I._size=gi(I.size(n,ce,D,_)),Qt!=null&&I._size!=Qt&&(M=!1)}),M}function m0(_){let M=!0;return za.forEach((I,D)=>{let B=I(n,D,Pi,_);B!=Ii[D]&&(M=!1),Ii[D]=B}),M}function g0(){for(let _=0;_<S.length;_++){let M=S[_];if(!M.show||!M._show)continue;let I=M.side,D=I%2,B,q,st=M.stroke(n,_),lt=I==0||I==3?-1:1;if(M.label){let Un=M.labelGap*lt,Zn=hn((M._lpos+Un)*Me);Gt(M.labelFont[0],st,"center",I==2?Ca:Dm),u.save(),D==1?(B=q=0,u.translate(Zn,hn(at+Ot/2)),u.rotate((I==3?-lh:lh)/2)):(B=hn(Yt+_t/2),q=Zn),u.fillText(M.label,B,q),u.restore()}let[pt,Tt]=M._found;if(Tt==0)continue;let At=P[M.scale],Pt=D==0?_t:Ot,Jt=D==0?Yt:at,Pe=hn(M.gap*Me),fe=M._splits,ce=At.distr==2?fe.map(Un=>X[Un]):fe,Qt=At.distr==2?X[fe[1]]-X[fe[0]]:pt,Bt=M.ticks,Ae=M.border,Ye=Bt.show?hn(Bt.size*Me):0,We=M._rotate*-lh/180,Fe=p(M._pos*Me),Qe=(Ye+Pe)*lt,Bn=Fe+Qe;q=D==0?Bn:0,B=D==1?Bn:0;let kn=M.font[0],si=M.align==1?uo:M.align==2?xd:We>0?uo:We<0?xd:D==0?"center":I==3?xd:uo,xi=We||D==1?"middle":I==2?Ca:Dm;Gt(kn,st,si,xi);let yi=M.font[1]*M.lineGap,Ln=fe.map(Un=>p(l(Un,At,Pt,Jt))),Ui=M._values;for(let Un=0;Un<Ui.length;Un++){let Zn=Ui[Un];if(Zn!=null){D==0?B=Ln[Un]:q=Ln[Un],Zn=""+Zn;let Dr=Zn.indexOf(`
`)==-1?[Zn]:Zn.split(/\n/gm);for(let xs=0;xs<Dr.length;xs++){let ri=Dr[xs];We?(u.save(),u.translate(B,q+xs*yi),u.rotate(We),u.fillText(ri,0,0),u.restore()):u.fillText(ri,B,q+xs*yi)}}}Bt.show&&Dh(Ln,Bt.filter(n,ce,_,Tt,Qt),D,I,Fe,Ye,Ie(Bt.width*Me,3),Bt.stroke(n,_),Bt.dash,Bt.cap);let Dn=M.grid;Dn.show&&Dh(Ln,Dn.filter(n,ce,_,Tt,Qt),D,D==0?2:1,D==0?at:Yt,D==0?Ot:_t,Ie(Dn.width*Me,3),Dn.stroke(n,_),Dn.dash,Dn.cap),Ae.show&&Dh([Fe],[1],D==0?1:0,D==0?1:2,D==1?at:Yt,D==1?Ot:_t,Ie(Ae.width*Me,3),Ae.stroke(n,_),Ae.dash,Ae.cap)}_n("drawAxes")}function wr(_){b.forEach((M,I)=>{I>0&&(M._paths=null,_&&(s==1?(M.min=null,M.max=null):M.facets.forEach(D=>{D.min=null,D.max=null})))})}let Ha=!1,Uh=!1,To=[];function _0(){Uh=!1;for(let _=0;_<To.length;_++)_n(...To[_]);To.length=0}function Er(){Ha||(JS(rf),Ha=!0)}function x0(_,M=!1){Ha=!0,Uh=M,_(n),rf(),M&&To.length>0&&queueMicrotask(_0)}n.batch=x0;function rf(){if(zt&&($n(),zt=!1),ne&&(Et(),ne=!1),St){if(Be(g,uo,nt),Be(g,Ca,K),Be(g,Ia,y),Be(g,La,k),Be(x,uo,nt),Be(x,Ca,K),Be(x,Ia,y),Be(x,La,k),Be(f,Ia,Ut),Be(f,La,C),d.width=hn(Ut*Me),d.height=hn(C*Me),S.forEach(({_el:_,_show:M,_size:I,_pos:D,side:B})=>{if(_!=null)if(M){let q=B===3||B===0?I:0,st=B%2==1;Be(_,st?"left":"top",D-q),Be(_,st?"width":"height",I),Be(_,st?"top":"left",st?K:nt),Be(_,st?"height":"width",st?k:y),Td(_,xr)}else ei(_,xr)}),xt=wt=Dt=Zt=Ht=le=pe=ze=qt=null,_e=1,Co(!0),nt!=tt||K!=Lt||y!=gt||k!=Mt){wr(!1);let _=y/gt,M=k/Mt;if(Ct.show&&!$t&&Ct.left>=0){Ct.left*=_,Ct.top*=M,Tr&&Wi(Tr,hn(Ct.left),0,y,k),Ar&&Wi(Ar,0,hn(Ct.top),y,k);for(let I=0;I<Je.length;I++){let D=Je[I];D!=null&&(Ci[I]*=_,Yi[I]*=M,Wi(D,gi(Ci[I]),gi(Yi[I]),y,k))}}if(Ne.show&&!ye&&Ne.left>=0&&Ne.width>0){Ne.left*=_,Ne.width*=_,Ne.top*=M,Ne.height*=M;for(let I in zh)Be(Pr,I,Ne[I])}tt=nt,Lt=K,gt=y,Mt=k}_n("setSize"),St=!1}Ut>0&&C>0&&(u.clearRect(0,0,d.width,d.height),_n("drawClear"),E.forEach(_=>_()),_n("draw")),Ne.show&&ye&&(Va(Ne),ye=!1),Ct.show&&$t&&(Ws(null,!0,!1),$t=!1),ft.show&&ft.live&&O&&(Bh(),O=!1),c||(c=!0,n.status=1,_n("ready")),$=!1,Ha=!1}n.redraw=(_,M)=>{ne=M||!1,_!==!1?ms(L,A.min,A.max):Er()};function Nh(_,M){let I=P[_];if(I.from==null){if(rn==0){let D=I.range(n,M.min,M.max,_);M.min=D[0],M.max=D[1]}if(M.min>M.max){let D=M.min;M.min=M.max,M.max=D}if(rn>1&&M.min!=null&&M.max!=null&&M.max-M.min<1e-16)return;_==L&&I.distr==2&&rn>0&&(M.min=Ri(M.min,t[0]),M.max=Ri(M.max,t[0]),M.min==M.max&&M.max++),Z[_]=M,zt=!0,Er()}}n.setScale=Nh;let Fh,Oh,Tr,Ar,of,af,Rr,Cr,lf,cf,Ue,He,ps=!1,Mn=Ct.drag,mn=Mn.x,gn=Mn.y;Ct.show&&(Ct.x&&(Fh=mi(vS,x)),Ct.y&&(Oh=mi(MS,x)),A.ori==0?(Tr=Fh,Ar=Oh):(Tr=Oh,Ar=Fh),Ue=Ct.left,He=Ct.top);let Ne=n.select=nn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Pr=Ne.show?mi(yS,Ne.over?x:g):null;function Va(_,M){if(Ne.show){for(let I in _)Ne[I]=_[I],I in zh&&Be(Pr,I,_[I]);M!==!1&&_n("setSelect")}}n.setSelect=Va;function y0(_,M){let I=b[_],D=Wt?Ft[_]:null;if(I.show)D&&Td(D,xr);else{D&&ei(D,xr);let B=qi?Je[0]:Je[_];Wi(B,-10,-10,y,k)}}function ms(_,M,I){Nh(_,{min:M,max:I})}function Li(_,M,I,D){M.focus!=null&&w0(_),M.show!=null&&b.forEach((B,q)=>{q>0&&(_==q||_==null)&&(B.show=M.show,y0(q,M.show),s==2?(ms(B.facets[0].scale,null,null),ms(B.facets[1].scale,null,null)):ms(B.scale,null,null),Er())}),I!==!1&&_n("setSeries",_,M),D&&Po("setSeries",n,_,M)}n.setSeries=Li;function v0(_,M){nn(R[_],M)}function M0(_,M){_.fill=he(_.fill||null),_.dir=xe(_.dir,-1),M=M??R.length,R.splice(M,0,_)}function S0(_){_==null?R.length=0:R.splice(_,1)}n.addBand=M0,n.setBand=v0,n.delBand=S0;function b0(_,M){b[_].alpha=M,Ct.show&&Je[_]&&(Je[_].style.opacity=M),Wt&&Ft[_]&&(Ft[_].style.opacity=M)}let Zi,gs,Gs,Ir={focus:!0};function w0(_){if(_!=Gs){let M=_==null,I=pn.alpha!=1;b.forEach((D,B)=>{if(s==1||B>0){let q=M||B==0||B==_;D._focus=M?null:q,I&&b0(B,q?1:pn.alpha)}}),Gs=_,I&&Er()}}Wt&&Xi&&Rt(Bm,ct,_=>{Ct._lock||(ae(_),Gs!=null&&Li(null,Ir,!0,je.setSeries))});function Di(_,M,I){let D=P[M];I&&(_=_/Me-(D.ori==1?K:nt));let B=y;D.ori==1&&(B=k,_=B-_),D.dir==-1&&(_=B-_);let q=D._min,st=D._max,lt=_/B,pt=q+(st-q)*lt,Tt=D.distr;return Tt==3?go(10,pt):Tt==4?BS(pt,D.asinh):Tt==100?D.bwd(pt):pt}function E0(_,M){let I=Di(_,L,M);return Ri(I,t[0],Ke,w)}n.valToIdx=_=>Ri(_,t[0]),n.posToIdx=E0,n.posToVal=Di,n.valToPos=(_,M,I)=>P[M].ori==0?o(_,P[M],I?_t:y,I?Yt:0):a(_,P[M],I?Ot:k,I?at:0),n.setCursor=(_,M,I)=>{Ue=_.left,He=_.top,Ws(null,M,I)};function hf(_,M){Be(Pr,uo,Ne.left=_),Be(Pr,Ia,Ne.width=M)}function uf(_,M){Be(Pr,Ca,Ne.top=_),Be(Pr,La,Ne.height=M)}let Ao=A.ori==0?hf:uf,Ro=A.ori==1?hf:uf;function T0(){if(Wt&&ft.live)for(let _=s==2?1:0;_<b.length;_++){if(_==0&&oe)continue;let M=ft.values[_],I=0;for(let D in M)Vt[_][I++].firstChild.nodeValue=M[D]}}function Bh(_,M){if(_!=null&&(_.idxs?_.idxs.forEach((I,D)=>{mt[D]=I}):VS(_.idx)||mt.fill(_.idx),ft.idx=mt[0]),Wt&&ft.live){for(let I=0;I<b.length;I++)(I>0||s==1&&!oe)&&A0(I,mt[I]);T0()}O=!1,M!==!1&&_n("setLegend")}n.setLegend=Bh;function A0(_,M){let I=b[_],D=_==0&&V==2?X:t[_],B;oe?B=I.values(n,_,M)??te:(B=I.value(n,M==null?null:D[M],_,M),B=B==null?te:{_:B}),ft.values[_]=B}function Ws(_,M,I){lf=Ue,cf=He,[Ue,He]=Ct.move(n,Ue,He),Ct.left=Ue,Ct.top=He,Ct.show&&(Tr&&Wi(Tr,hn(Ue),0,y,k),Ar&&Wi(Ar,0,hn(He),y,k));let D,B=Ke>w;Zi=ue,gs=null;let q=A.ori==0?y:k,st=A.ori==1?y:k;if(Ue<0||rn==0||B){D=Ct.idx=null;for(let lt=0;lt<b.length;lt++){let pt=Je[lt];pt!=null&&Wi(pt,-10,-10,y,k)}Xi&&Li(null,Ir,!0,_==null&&je.setSeries),ft.live&&(mt.fill(D),O=!0)}else{let lt,pt,Tt;s==1&&(lt=A.ori==0?Ue:He,pt=Di(lt,L),D=Ct.idx=Ri(pt,t[0],Ke,w),Tt=z(t[0][D],A,q,0));let At=-10,Pt=-10,Jt=0,Pe=0,fe=!0,ce="",Qt="";for(let Bt=s==2?1:0;Bt<b.length;Bt++){let Ae=b[Bt],Ye=mt[Bt],We=Ye==null?null:s==1?t[Bt][Ye]:t[Bt][1][Ye],Fe=Ct.dataIdx(n,Bt,D,pt),Qe=Fe==null?null:s==1?t[Bt][Fe]:t[Bt][1][Fe];O=O||Qe!=We||Fe!=Ye,mt[Bt]=Fe;let Bn=Fe==D?Tt:z(s==1?t[0][Fe]:t[Bt][0][Fe],A,q,0);if(Bt>0&&Ae.show){let kn=Qe==null?-10:W(Qe,s==1?P[Ae.scale]:P[Ae.facets[1].scale],st,0);if(Xi&&Qe!=null){let si=A.ori==1?Ue:He,xi=un(pn.dist(n,Bt,Fe,kn,si));if(xi<Zi){let yi=pn.bias;if(yi!=0){let Ln=Di(si,Ae.scale),Ui=Qe>=0?1:-1,Dn=Ln>=0?1:-1;Dn==Ui&&(Dn==1?yi==1?Qe>=Ln:Qe<=Ln:yi==1?Qe<=Ln:Qe>=Ln)&&(Zi=xi,gs=Bt)}else Zi=xi,gs=Bt}}if(O||qi){let si,xi;A.ori==0?(si=Bn,xi=kn):(si=kn,xi=Bn);let yi,Ln,Ui,Dn,Un,Zn,Dr=!0,xs=Te.bbox;if(xs!=null){Dr=!1;let ri=xs(n,Bt);Ui=ri.left,Dn=ri.top,yi=ri.width,Ln=ri.height}else Ui=si,Dn=xi,yi=Ln=Te.size(n,Bt);if(Zn=Te.fill(n,Bt),Un=Te.stroke(n,Bt),qi)Bt==gs&&Zi<=pn.prox&&(At=Ui,Pt=Dn,Jt=yi,Pe=Ln,fe=Dr,ce=Zn,Qt=Un);else{let ri=Je[Bt];ri!=null&&(Ci[Bt]=Ui,Yi[Bt]=Dn,Xm(ri,yi,Ln,Dr),Gm(ri,Zn,Un),Wi(ri,gi(Ui),gi(Dn),y,k))}}}}if(qi){let Bt=pn.prox,Ae=Gs==null?Zi<=Bt:Zi>Bt||gs!=Gs;if(O||Ae){let Ye=Je[0];Ci[0]=At,Yi[0]=Pt,Xm(Ye,Jt,Pe,fe),Gm(Ye,ce,Qt),Wi(Ye,gi(At),gi(Pt),y,k)}}}if(Ne.show&&ps)if(_!=null){let[lt,pt]=je.scales,[Tt,At]=je.match,[Pt,Jt]=_.cursor.sync.scales,Pe=_.cursor.drag;if(mn=Pe._x,gn=Pe._y,mn||gn){let{left:fe,top:ce,width:Qt,height:Bt}=_.select,Ae=_.scales[Pt].ori,Ye=_.posToVal,We,Fe,Qe,Bn,kn,si=lt!=null&&Tt(lt,Pt),xi=pt!=null&&At(pt,Jt);si&&mn?(Ae==0?(We=fe,Fe=Qt):(We=ce,Fe=Bt),Qe=P[lt],Bn=z(Ye(We,Pt),Qe,q,0),kn=z(Ye(We+Fe,Pt),Qe,q,0),Ao(_i(Bn,kn),un(kn-Bn))):Ao(0,q),xi&&gn?(Ae==1?(We=fe,Fe=Qt):(We=ce,Fe=Bt),Qe=P[pt],Bn=W(Ye(We,Jt),Qe,st,0),kn=W(Ye(We+Fe,Jt),Qe,st,0),Ro(_i(Bn,kn),un(kn-Bn))):Ro(0,st)}else Ga()}else{let lt=un(lf-of),pt=un(cf-af);if(A.ori==1){let Jt=lt;lt=pt,pt=Jt}mn=Mn.x&&lt>=Mn.dist,gn=Mn.y&&pt>=Mn.dist;let Tt=Mn.uni;Tt!=null?mn&&gn&&(mn=lt>=Tt,gn=pt>=Tt,!mn&&!gn&&(pt>lt?gn=!0:mn=!0)):Mn.x&&Mn.y&&(mn||gn)&&(mn=gn=!0);let At,Pt;mn&&(A.ori==0?(At=Rr,Pt=Ue):(At=Cr,Pt=He),Ao(_i(At,Pt),un(Pt-At)),gn||Ro(0,st)),gn&&(A.ori==1?(At=Rr,Pt=Ue):(At=Cr,Pt=He),Ro(_i(At,Pt),un(Pt-At)),mn||Ao(0,q)),!mn&&!gn&&(Ao(0,0),Ro(0,0))}if(Mn._x=mn,Mn._y=gn,_==null){if(I){if(Sf!=null){let[lt,pt]=je.scales;je.values[0]=lt!=null?Di(A.ori==0?Ue:He,lt):null,je.values[1]=pt!=null?Di(A.ori==1?Ue:He,pt):null}Po(Nm,n,Ue,He,y,k,D)}if(Xi){let lt=I&&je.setSeries,pt=pn.prox;Gs==null?Zi<=pt&&Li(gs,Ir,!0,lt):Zi>pt?Li(null,Ir,!0,lt):gs!=Gs&&Li(gs,Ir,!0,lt)}}O&&(ft.idx=D,Bh()),M!==!1&&_n("setCursor")}let _s=null;Object.defineProperty(n,"rect",{get(){return _s==null&&Co(!1),_s}});function Co(_=!1){_?_s=null:(_s=x.getBoundingClientRect(),_n("syncRect",_s))}function df(_,M,I,D,B,q,st){Ct._lock||ps&&_!=null&&_.movementX==0&&_.movementY==0||(kh(_,M,I,D,B,q,st,!1,_!=null),_!=null?Ws(null,!0,!0):Ws(M,!0,!1))}function kh(_,M,I,D,B,q,st,lt,pt){if(_s==null&&Co(!1),ae(_),_!=null)I=_.clientX-_s.left,D=_.clientY-_s.top;else{if(I<0||D<0){Ue=-10,He=-10;return}let[Tt,At]=je.scales,Pt=M.cursor.sync,[Jt,Pe]=Pt.values,[fe,ce]=Pt.scales,[Qt,Bt]=je.match,Ae=M.axes[0].side%2==1,Ye=A.ori==0?y:k,We=A.ori==1?y:k,Fe=Ae?q:B,Qe=Ae?B:q,Bn=Ae?D:I,kn=Ae?I:D;if(fe!=null?I=Qt(Tt,fe)?l(Jt,P[Tt],Ye,0):-10:I=Ye*(Bn/Fe),ce!=null?D=Bt(At,ce)?l(Pe,P[At],We,0):-10:D=We*(kn/Qe),A.ori==1){let si=I;I=D,D=si}}pt&&((I<=1||I>=y-1)&&(I=gr(I,y)),(D<=1||D>=k-1)&&(D=gr(D,k))),lt?(of=I,af=D,[Rr,Cr]=Ct.move(n,I,D)):(Ue=I,He=D)}let zh={width:0,height:0,left:0,top:0};function Ga(){Va(zh,!1)}let ff,pf,mf,gf;function _f(_,M,I,D,B,q,st){ps=!0,mn=gn=Mn._x=Mn._y=!1,kh(_,M,I,D,B,q,st,!0,!1),_!=null&&(Rt(yd,wd,xf,!1),Po(Fm,n,Rr,Cr,y,k,null));let{left:lt,top:pt,width:Tt,height:At}=Ne;ff=lt,pf=pt,mf=Tt,gf=At,Ga()}function xf(_,M,I,D,B,q,st){ps=Mn._x=Mn._y=!1,kh(_,M,I,D,B,q,st,!1,!0);let{left:lt,top:pt,width:Tt,height:At}=Ne,Pt=Tt>0||At>0,Jt=ff!=lt||pf!=pt||mf!=Tt||gf!=At;if(Pt&&Jt&&Va(Ne),Mn.setScale&&Pt&&Jt){let Pe=lt,fe=Tt,ce=pt,Qt=At;if(A.ori==1&&(Pe=pt,fe=At,ce=lt,Qt=Tt),mn&&ms(L,Di(Pe,L),Di(Pe+fe,L)),gn)for(let Bt in P){let Ae=P[Bt];Bt!=L&&Ae.from==null&&Ae.min!=ue&&ms(Bt,Di(ce+Qt,Bt),Di(ce,Bt))}Ga()}else Ct.lock&&(Ct._lock=!Ct._lock,Ws(null,!0,!1));_!=null&&(Se(yd,wd),Po(yd,n,Ue,He,y,k,null))}function R0(_,M,I,D,B,q,st){if(Ct._lock)return;ae(_);let lt=ps;if(ps){let pt=!0,Tt=!0,At=10,Pt,Jt;A.ori==0?(Pt=mn,Jt=gn):(Pt=gn,Jt=mn),Pt&&Jt&&(pt=Ue<=At||Ue>=y-At,Tt=He<=At||He>=k-At),Pt&&pt&&(Ue=Ue<Rr?0:y),Jt&&Tt&&(He=He<Cr?0:k),Ws(null,!0,!0),ps=!1}Ue=-10,He=-10,Ws(null,!0,!0),lt&&(ps=lt)}function yf(_,M,I,D,B,q,st){Ct._lock||(ae(_),ht(),Ga(),_!=null&&Po(km,n,Ue,He,y,k,null))}function vf(){S.forEach(sw),yt(n.width,n.height,!0)}yr(ch,po,vf);let Lr={};Lr.mousedown=_f,Lr.mousemove=df,Lr.mouseup=xf,Lr.dblclick=yf,Lr.setSeries=(_,M,I,D)=>{let B=je.match[2];I=B(n,M,I),I!=-1&&Li(I,D,!0,!1)},Ct.show&&(Rt(Fm,x,_f),Rt(Nm,x,df),Rt(Om,x,_=>{ae(_),Co(!1)}),Rt(Bm,x,R0),Rt(km,x,yf),Ld.add(n),n.syncRect=Co);let Wa=n.hooks=i.hooks||{};function _n(_,M,I){Uh?To.push([_,M,I]):_ in Wa&&Wa[_].forEach(D=>{D.call(null,n,M,I)})}(i.plugins||[]).forEach(_=>{for(let M in _.hooks)Wa[M]=(Wa[M]||[]).concat(_.hooks[M])});let Mf=(_,M,I)=>I,je=nn({key:null,setSeries:!1,filters:{pub:Jm,sub:Jm},scales:[L,b[1]?b[1].scale:null],match:[Km,Km,Mf],values:[null,null]},Ct.sync);je.match.length==2&&je.match.push(Mf),Ct.sync=je;let Sf=je.key,Hh=Gg(Sf);function Po(_,M,I,D,B,q,st){je.filters.pub(_,M,I,D,B,q,st)&&Hh.pub(_,M,I,D,B,q,st)}Hh.sub(n);function C0(_,M,I,D,B,q,st){je.filters.sub(_,M,I,D,B,q,st)&&Lr[_](null,M,I,D,B,q,st)}n.pub=C0;function P0(){Hh.unsub(n),Ld.delete(n),Kt.clear(),Ad(ch,po,vf),h.remove(),ct?.remove(),_n("destroy")}n.destroy=P0;function Vh(){_n("init",i,t),G(t||i.data,!1),Z[L]?Nh(L,Z[L]):ht(),ye=Ne.show&&(Ne.width>0||Ne.height>0),$t=O=!0,yt(i.width,i.height)}return b.forEach(Hs),S.forEach(ka),e?e instanceof HTMLElement?(e.appendChild(h),Vh()):e(n,Vh):Vh(),n}wn.assign=nn;wn.fmtNum=kd;wn.rangeNum=hh;wn.rangeLog=dh;wn.rangeAsinh=Od;wn.orient=Mr;wn.pxRatio=Me;wn.join=ZS;wn.fmtDate=Hd,wn.tzDate=ob;wn.sync=Gg;{wn.addGap=Vb,wn.clipGaps=mh;let i=wn.paths={points:Zg};i.linear=Kg,i.stepped=Xb,i.bars=qb,i.spline=$b}var e0=["#0072b2","#d55e00","#009e73","#cc79a7","#e69f00","#56b4e9"],bo={text:"#66747f",grid:"#e9edf0"};function n0(i){bo.text=i?"#8fa0ad":"#66747f",bo.grid=i?"#2a343c":"#e9edf0"}var rw=i=>i.reduce((t,e)=>e.reduce((n,s)=>Math.abs(s)>n?Math.abs(s):n,t),0),$d=class{constructor(t,e,n,s){this.labels=s,this.cursor=0,this.box=it("section",{class:"curves","data-title":e}),this.unit=n,this.words=it("span",{class:"unit"},n),this.head=it("h3",{},e,this.words),this.box.append(this.head),t.append(this.box),this.build()}build(){let t=(e,n)=>n.map(s=>s===null?"":this.tick(s));this.plot=new wn({width:330,height:124,padding:[6,8,0,0],cursor:{show:!0,drag:{x:!1,y:!1},points:{size:5}},legend:{show:!0,live:!1,markers:{width:3}},scales:{x:{time:!1}},axes:[{size:24,font:"10px system-ui",stroke:()=>bo.text,grid:{stroke:()=>bo.grid,width:1},ticks:{show:!1},values:t},{size:50,font:"10px system-ui",stroke:()=>bo.text,grid:{stroke:()=>bo.grid,width:1},ticks:{show:!1},values:t}],series:[{},...this.labels.map((e,n)=>({label:e,stroke:e0[n%e0.length],width:1.5,points:{show:!1}}))],hooks:{draw:[()=>this.placeTime()],setCursor:[e=>this.readOut(e)]}},[[0],...this.labels.map(()=>[null])],this.box),this.line=it("div",{class:"now"}),this.plot.over.append(this.line)}tick(t){let e=Math.abs(t);return t===0?"0":e>=1e5||e<.001?t.toExponential(0).replace("e+","e"):String(+t.toPrecision(4))}readOut(t){let e=t.cursor.idx,n=e!=null&&this.values&&t.cursor.left>=0;this.words.textContent=n?`${this.tick(this.values[0][e])} s: ${this.values.slice(1).map(s=>s[e]===null?"\u2013":$e(s[e],4)).join(", ")} ${this.unit}`:this.unit}placeTime(){if(!this.line)return;let t=this.plot.valToPos(this.cursor,"x"),e=t>=0&&t<=this.plot.over.clientWidth;this.line.style.transform=`translateX(${e?t.toFixed(1):-9}px)`}setData(t){let e=t.map(n=>Array.from(n,s=>Number.isFinite(s)?s:null));this.plot.setData(e),this.values=e}setTime(t){t!==this.cursor&&(this.cursor=t,this.placeTime())}resize(t){t>60&&t!==this.plot.width&&this.plot.setSize({width:t,height:124})}repaint(){this.plot.redraw(!1,!0)}remove(){this.plot.destroy(),this.box.remove()}},Zd=class{constructor(t,e,n){this.unit=n,this.value=it("output",{},"\u2013"),this.box=it("div",{class:"figure","data-title":e},it("span",{},e),this.value),t.append(this.box)}setData(t){let e=t[1].reduce((s,r)=>r>s?r:s,0),n=`${e>0?e.toExponential(1).replace("e"," e"):"0"} ${this.unit}`;this.value.textContent!==n&&(this.value.textContent=n)}setTime(){}repaint(){}resize(){}},yh=class{constructor(t,e,n,s){this.parent=t,this.model=e,this.layout=n,this.source=s,this.joint=-1,this.time=0,this.busy=!1,this.panels=[],e.has.energy&&this.add("Energy","J",["kinetic","potential","total"],[0,1,n.total]),e.has.gap&&this.panels.push({curves:new Zd(t,"Largest gap so far","m or rad"),offsets:[2]}),this.fixedCount=this.panels.length,e.joints.names.length>0&&e.detail&&this.addChooser()}add(t,e,n,s,r=!1){let o=new $d(this.parent,t,e,n);o.setTime(this.time),this.panels.push({curves:o,offsets:s,isLoad:r})}addChooser(){this.chooser=it("select",{class:"joint-choice",title:"which joint is plotted"}),this.model.joints.names.forEach((t,e)=>this.chooser.append(it("option",{value:e},t))),this.chooser.addEventListener("change",()=>this.showJoint(+this.chooser.value)),this.parent.append(it("label",{class:"row"},"Joint ",this.chooser)),this.showJoint(0)}showJoint(t){if(!this.chooser||t===this.joint||t<0)return;for(this.joint=t,this.chooser.value=String(t);this.panels.length>this.fixedCount;)this.panels.pop().curves.remove();let{joints:e}=this.model,n=this.layout.coordinates+e.coordinateFirst[t],s=e.axes[t];if(this.model.has.joints){let r={t:"slide ",r:"turn "};if(s.length>0){let a=s.every(l=>l[0]==="t")?"m":s.every(l=>l[0]==="r")?"rad":"m, rad";this.add("Joint coordinates",a,s.map(l=>r[l[0]]+l[1]),s.map((l,c)=>n+c))}let o=this.layout.loads+6*t;this.add("Joint force","N",["x","y","z"],[o,o+1,o+2],!0),this.add("Joint moment","N m",["x","y","z"],[o+3,o+4,o+5],!0)}this.update()}repaint(){for(let t of this.panels)t.curves.repaint()}resize(){let t=this.parent.clientWidth;for(let e of this.panels)e.curves.resize(t)}setTime(t){this.time=t;for(let e of this.panels)e.curves.setTime(t)}async update(){if(this.busy||this.panels.length===0||this.parent.hidden)return;this.busy=!0;let t=[...this.panels],e=t.flatMap(l=>l.offsets),n=await this.source.series(e);if(this.busy=!1,!n)return;let s=1,r=t.map(l=>n.slice(s,s+=l.offsets.length)),o=t.map((l,c)=>l.isLoad?rw(r[c]):0),a=1e-9*Math.max(0,...o);t.forEach((l,c)=>{if(!this.panels.includes(l))return;let h=l.isLoad&&o[c]<a;l.curves.setData([n[0],...r[c].map(d=>h?d.map(()=>0):d)])})}};var Jd=300;function ow({bodies:i,joints:t}){let e=i.names.length,n=new Int32Array(e).fill(-1),s=new Int32Array(e).fill(-1),r=Array.from({length:e+1},()=>[]);t.follower.forEach((c,h)=>{c<0||s[c]>=0||(s[c]=h,n[c]=t.base[h])});for(let c=0;c<e;c++)r[n[c]+1].push(c);let o=[],a=new Uint8Array(e),l=(c,h)=>{let d=[[c,h]];for(;d.length>0;){let[u,f]=d.pop();if(!a[u]){a[u]=1,o.push({body:u,depth:f,joint:s[u]});for(let g=r[u+1].length-1;g>=0;g--)d.push([r[u+1][g],f+1])}}};for(let c of r[0])l(c,0);for(let c=0;c<e;c++)a[c]||l(c,0);return t.names.forEach((c,h)=>{let d=t.follower[h];(d<0||s[d]!==h)&&o.push({body:-1,depth:0,joint:h})}),o}var vh=class{constructor(t,e){this.model=t,this.app=e,this.rows=ow(t),this.search=it("input",{type:"search",id:"search",placeholder:"search bodies and joints","aria-label":"search bodies and joints"}),this.list=it("ul",{class:"tree"}),this.more=it("p",{class:"hint",hidden:!0}),this.search.addEventListener("input",()=>this.fill()),this.search.addEventListener("keydown",n=>{n.key==="Escape"&&(this.search.value="",this.fill(),this.search.blur())}),this.list.addEventListener("click",n=>this.onClick(n)),this.element=it("div",{},this.search,this.list,this.more),this.fill()}nameOf(t){let{bodies:e,joints:n}=this.model;return[t.body>=0?e.names[t.body]:"",t.joint>=0?n.names[t.joint]:""]}fill(){let t=this.search.value.toLowerCase().split(/\s+/).filter(Boolean),e=this.rows.filter(s=>{let r=this.nameOf(s).join(" ").toLowerCase();return t.every(o=>r.includes(o))}),n=t.length>0;this.list.replaceChildren(...e.slice(0,Jd).map(s=>this.rowOf(s,n))),this.more.hidden=e.length<=Jd&&e.length>0,this.more.textContent=e.length===0?"nothing of that name":`and ${(e.length-Jd).toLocaleString("en")} more: search for them`,this.mark()}rowOf(t,e){let[n,s]=this.nameOf(t),r=it("li",{style:e?null:`--depth:${Math.min(t.depth,12)}`});return t.body>=0&&r.append(it("button",{class:"eye",type:"button","data-eye":t.body,title:"solid, glass, hidden","aria-label":`visibility of ${n}`}),it("button",{class:"name",type:"button","data-body":t.body,title:n},n)),t.joint>=0&&r.append(it("button",{class:t.body>=0?"joint":"joint name",type:"button","data-joint":t.joint,title:`joint ${s}, ${this.model.joints.kinds[t.joint]}`},s)),r}onClick(t){let{eye:e,body:n,joint:s}=t.target.dataset;if(e!==void 0){let r=+e,o={[qn]:pi,[pi]:ho,[ho]:qn}[this.app.world.looks[r]];t.altKey?this.app.showOnly(r):this.app.world.setLook(r,o),this.mark()}n!==void 0&&this.app.selectBody(+n),s!==void 0&&this.app.selectJoint(+s)}mark(){let t=this.app.world;for(let e of this.list.children)for(let n of e.children){let{eye:s,body:r,joint:o}=n.dataset;s!==void 0&&t&&(n.dataset.look=t.looks[+s]),r!==void 0&&n.classList.toggle("picked",t!==void 0&&+r===t.selected),o!==void 0&&n.classList.toggle("picked",t!==void 0&&+o===t.selectedJoint)}}};var i0={type:"change"},jd={type:"start"},r0={type:"end"},Mh=new is,s0=new zn,aw=Math.cos(70*Vu.DEG2RAD),fn=new U,Yn=2*Math.PI,Re={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Kd=1e-6,Sh=class extends _a{constructor(t,e=null){super(t,e),this.state=Re.NONE,this.enabled=!0,this.target=new U,this.cursor=new U,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Ps.ROTATE,MIDDLE:Ps.DOLLY,RIGHT:Ps.PAN},this.touches={ONE:Is.ROTATE,TWO:Is.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._domElementKeyEvents=null,this._lastPosition=new U,this._lastQuaternion=new Gn,this._lastTargetPosition=new U,this._quat=new Gn().setFromUnitVectors(t.up,new U(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new to,this._sphericalDelta=new to,this._scale=1,this._panOffset=new U,this._rotateStart=new It,this._rotateEnd=new It,this._rotateDelta=new It,this._panStart=new It,this._panEnd=new It,this._panDelta=new It,this._dollyStart=new It,this._dollyEnd=new It,this._dollyDelta=new It,this._dollyDirection=new U,this._mouse=new It,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=cw.bind(this),this._onPointerDown=lw.bind(this),this._onPointerUp=hw.bind(this),this._onContextMenu=_w.bind(this),this._onMouseWheel=fw.bind(this),this._onKeyDown=pw.bind(this),this._onTouchStart=mw.bind(this),this._onTouchMove=gw.bind(this),this._onMouseDown=uw.bind(this),this._onMouseMove=dw.bind(this),this._interceptControlDown=xw.bind(this),this._interceptControlUp=yw.bind(this),this.domElement!==null&&this.connect(),this.update()}connect(){this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.getRootNode().addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.getRootNode().removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.style.touchAction="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(t){t.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=t}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(i0),this.update(),this.state=Re.NONE}update(t=null){let e=this.object.position;fn.copy(e).sub(this.target),fn.applyQuaternion(this._quat),this._spherical.setFromVector3(fn),this.autoRotate&&this.state===Re.NONE&&this._rotateLeft(this._getAutoRotationAngle(t)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=Yn:n>Math.PI&&(n-=Yn),s<-Math.PI?s+=Yn:s>Math.PI&&(s-=Yn),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(fn.setFromSpherical(this._spherical),fn.applyQuaternion(this._quatInverse),e.copy(this.target).add(fn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=fn.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new U(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new U(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=fn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Mh.origin.copy(this.object.position),Mh.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Mh.direction))<aw?this.object.lookAt(this.target):(s0.setFromNormalAndCoplanarPoint(this.object.up,this.target),Mh.intersectPlane(s0,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Kd||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Kd||this._lastTargetPosition.distanceToSquared(this.target)>Kd?(this.dispatchEvent(i0),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(t){return t!==null?Yn/60*this.autoRotateSpeed*t:Yn/60/60*this.autoRotateSpeed}_getZoomScale(t){let e=Math.abs(t*.01);return Math.pow(.95,this.zoomSpeed*e)}_rotateLeft(t){this._sphericalDelta.theta-=t}_rotateUp(t){this._sphericalDelta.phi-=t}_panLeft(t,e){fn.setFromMatrixColumn(e,0),fn.multiplyScalar(-t),this._panOffset.add(fn)}_panUp(t,e){this.screenSpacePanning===!0?fn.setFromMatrixColumn(e,1):(fn.setFromMatrixColumn(e,0),fn.crossVectors(this.object.up,fn)),fn.multiplyScalar(t),this._panOffset.add(fn)}_pan(t,e){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;fn.copy(s).sub(this.target);let r=fn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*t*r/n.clientHeight,this.object.matrix),this._panUp(2*e*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(t*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(e*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(t){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=t:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(t,e){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=t-n.left,r=e-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(t){return Math.max(this.minDistance,Math.min(this.maxDistance,t))}_handleMouseDownRotate(t){this._rotateStart.set(t.clientX,t.clientY)}_handleMouseDownDolly(t){this._updateZoomParameters(t.clientX,t.clientX),this._dollyStart.set(t.clientX,t.clientY)}_handleMouseDownPan(t){this._panStart.set(t.clientX,t.clientY)}_handleMouseMoveRotate(t){this._rotateEnd.set(t.clientX,t.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(Yn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Yn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(t){this._dollyEnd.set(t.clientX,t.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.update()}_handleMouseMovePan(t){this._panEnd.set(t.clientX,t.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(t){this._updateZoomParameters(t.clientX,t.clientY),t.deltaY<0?this._dollyIn(this._getZoomScale(t.deltaY)):t.deltaY>0&&this._dollyOut(this._getZoomScale(t.deltaY)),this.update()}_handleKeyDown(t){let e=!1;switch(t.code){case this.keys.UP:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(Yn*this.rotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),e=!0;break;case this.keys.BOTTOM:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateUp(-Yn*this.rotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),e=!0;break;case this.keys.LEFT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(Yn*this.rotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),e=!0;break;case this.keys.RIGHT:t.ctrlKey||t.metaKey||t.shiftKey?this.enableRotate&&this._rotateLeft(-Yn*this.rotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),e=!0;break}e&&(t.preventDefault(),this.update())}_handleTouchStartRotate(t){if(this._pointers.length===1)this._rotateStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(t){if(this._pointers.length===1)this._panStart.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panStart.set(n,s)}}_handleTouchStartDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enablePan&&this._handleTouchStartPan(t)}_handleTouchStartDollyRotate(t){this.enableZoom&&this._handleTouchStartDolly(t),this.enableRotate&&this._handleTouchStartRotate(t)}_handleTouchMoveRotate(t){if(this._pointers.length==1)this._rotateEnd.set(t.pageX,t.pageY);else{let n=this._getSecondPointerPosition(t),s=.5*(t.pageX+n.x),r=.5*(t.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let e=this.domElement;this._rotateLeft(Yn*this._rotateDelta.x/e.clientHeight),this._rotateUp(Yn*this._rotateDelta.y/e.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(t){if(this._pointers.length===1)this._panEnd.set(t.pageX,t.pageY);else{let e=this._getSecondPointerPosition(t),n=.5*(t.pageX+e.x),s=.5*(t.pageY+e.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(t){let e=this._getSecondPointerPosition(t),n=t.pageX-e.x,s=t.pageY-e.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(t.pageX+e.x)*.5,a=(t.pageY+e.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enablePan&&this._handleTouchMovePan(t)}_handleTouchMoveDollyRotate(t){this.enableZoom&&this._handleTouchMoveDolly(t),this.enableRotate&&this._handleTouchMoveRotate(t)}_addPointer(t){this._pointers.push(t.pointerId)}_removePointer(t){delete this._pointerPositions[t.pointerId];for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId){this._pointers.splice(e,1);return}}_isTrackingPointer(t){for(let e=0;e<this._pointers.length;e++)if(this._pointers[e]==t.pointerId)return!0;return!1}_trackPointer(t){let e=this._pointerPositions[t.pointerId];e===void 0&&(e=new It,this._pointerPositions[t.pointerId]=e),e.set(t.pageX,t.pageY)}_getSecondPointerPosition(t){let e=t.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[e]}_customWheelEvent(t){let e=t.deltaMode,n={clientX:t.clientX,clientY:t.clientY,deltaY:t.deltaY};switch(e){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return t.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function lw(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.addEventListener("pointermove",this._onPointerMove),this.domElement.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i)))}function cw(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function hw(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.removeEventListener("pointermove",this._onPointerMove),this.domElement.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(r0),this.state=Re.NONE;break;case 1:let t=this._pointers[0],e=this._pointerPositions[t];this._onTouchStart({pointerId:t,pageX:e.x,pageY:e.y});break}}function uw(i){let t;switch(i.button){case 0:t=this.mouseButtons.LEFT;break;case 1:t=this.mouseButtons.MIDDLE;break;case 2:t=this.mouseButtons.RIGHT;break;default:t=-1}switch(t){case Ps.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Re.DOLLY;break;case Ps.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Re.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Re.ROTATE}break;case Ps.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Re.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Re.PAN}break;default:this.state=Re.NONE}this.state!==Re.NONE&&this.dispatchEvent(jd)}function dw(i){switch(this.state){case Re.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Re.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Re.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function fw(i){this.enabled===!1||this.enableZoom===!1||this.state!==Re.NONE||(i.preventDefault(),this.dispatchEvent(jd),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(r0))}function pw(i){this.enabled!==!1&&this._handleKeyDown(i)}function mw(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case Is.ROTATE:if(this.enableRotate===!1)return;this._handleTouchStartRotate(i),this.state=Re.TOUCH_ROTATE;break;case Is.PAN:if(this.enablePan===!1)return;this._handleTouchStartPan(i),this.state=Re.TOUCH_PAN;break;default:this.state=Re.NONE}break;case 2:switch(this.touches.TWO){case Is.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Re.TOUCH_DOLLY_PAN;break;case Is.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Re.TOUCH_DOLLY_ROTATE;break;default:this.state=Re.NONE}break;default:this.state=Re.NONE}this.state!==Re.NONE&&this.dispatchEvent(jd)}function gw(i){switch(this._trackPointer(i),this.state){case Re.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Re.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Re.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Re.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Re.NONE}}function _w(i){this.enabled!==!1&&i.preventDefault()}function xw(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.getRootNode().addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function yw(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.getRootNode().removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}var Qd={iso:[.62,-1,.52],front:[0,-1,0],side:[1,0,0],top:[0,-1e-4,1]},wo="auto",o0="free",tf="follow",vw=.3,Mw=3.2,bh=class{constructor(t){this.camera=new An(40,1,.01,1e3),this.camera.up.set(0,0,1),this.flat=new ir,this.flat.up.set(0,0,1),this.isFlat=!1,this.controls=new Sh(this.camera,t),this.controls.enableDamping=!0,this.controls.dampingFactor=.12,this.controls.addEventListener("change",()=>this.hasChanged=!0),this.controls.addEventListener("start",()=>this.way=null),this.hasChanged=!0,this.mode=wo,this.body=-1,this.goal={centre:new U,radius:1},this.zoom=1,this.seen=new yn,this.home=1,this.isRoaming=!1,this.middle=null,this.shift=[0,0,1,1],this.onMode=()=>{}}get view(){return this.isFlat?this.flat:this.camera}distanceOf(t){let[,,e,n]=this.shift,s=Math.max(e-(this.covered||0),.35*e)/n,r=Math.tan(this.camera.fov*Math.PI/360),{half:o,radius:a}=this.goal,l=1-(this.below||0)/n;if(!o)return 1.02*a/Math.sin(Math.atan(r*Math.min(s,l)));let c=new U().crossVectors(this.camera.up,t);c.lengthSq()<1e-9&&c.set(1,0,0),c.normalize();let h=new U().crossVectors(t,c),d=0;for(let u=0;u<8;u++){let f=new U(u&1?o.x:-o.x,u&2?o.y:-o.y,u&4?o.z:-o.z),g=Math.max(Math.abs(f.dot(h))/(r*l),Math.abs(f.dot(c))/(r*s));d=Math.max(d,f.dot(t)+g)}return 1.12*d}begin(t,e){this.seen.copy(t),this.home=.5*t.getSize(new U).length(),this.isRoaming=!1,this.middle=null,e&&this.expand(e),this.fit("iso")}expand(t){this.seen.union(t);let e=.5*this.seen.getSize(new U).length();return e>Mw*this.home&&(this.isRoaming=!0),e}fit(t=null){let e=t?new U(...Qd[t]).normalize():this.direction();this.zoom=1,this.way=null,this.setMode(wo),this.aim(),this.controls.target.copy(this.goal.centre),this.put(e,this.distanceOf(e))}look(t){this.way=new U(...Qd[t]).normalize(),this.hasChanged=!0}setFlat(t){this.isFlat=t,this.hasChanged=!0}setMode(t,e=-1){this.mode=t,this.body=e,this.settling=1.2,this.middle=t===o0?null:this.middle,this.hasChanged=!0,this.onMode(t,e)}follow(t){this.followed=null,this.setMode(t>=0?tf:wo,t)}direction(){let t=this.camera.position.clone().sub(this.controls.target);return t.lengthSq()>0?t.normalize():new U(...Qd.iso).normalize()}put(t,e){this.camera.position.copy(this.controls.target).addScaledVector(t,e),this.controls.update(),this.last={distance:e,target:this.controls.target.clone()},this.hasChanged=!0}aim(){if(this.isRoaming&&this.moving){this.goal.centre.copy(this.moving.middle),this.goal.radius=Math.max(this.moving.radius,.3*this.home),this.goal.half=null;return}this.seen.getCenter(this.goal.centre),this.goal.half=this.seen.getSize(new U).multiplyScalar(.5),this.goal.radius=Math.max(this.goal.half.length(),1e-4)}frame(t,e){this.moving=t,t&&this.expand(t.box),this.aim();let n=this.mode===tf&&this.body>=0?e(this.body):this.mode===wo&&this.isRoaming&&t?t.middle:null;n&&this.middle&&this.carry(n.clone().sub(this.middle)),this.middle=n?n.clone():null}carry(t){this.camera.position.add(t),this.controls.target.add(t),this.last&&this.last.target.add(t),this.hasChanged=!0}tick(t){this.controls.update(),this.readHands();let e=1-Math.exp(-t/vw),n=this.camera.position.distanceTo(this.controls.target),s=this.direction(),r=!1;if(this.mode===wo){let a=this.distanceOf(this.way??s)*this.zoom;(this.goal.centre.distanceTo(this.controls.target)>.001*a||Math.abs(a-n)>.002*a)&&(this.controls.target.lerp(this.goal.centre,e),n+=e*(a-n),r=!0)}else this.mode===tf&&this.middle&&this.settling>0&&(this.controls.target.lerp(this.middle,e),this.settling-=t,r=!0);this.way&&(s.lerp(this.way,1-Math.exp(-t/.09)).normalize(),s.distanceTo(this.way)<.002&&(s.copy(this.way),this.way=null),r=!0),r&&this.put(s,n);let o=this.hasChanged;return this.hasChanged=!1,o&&this.update(n),o}readHands(){if(!this.last)return;let t=this.camera.position.distanceTo(this.controls.target);Math.abs(t/this.last.distance-1)>1e-6&&(this.zoom*=t/this.last.distance,this.last.distance=t),this.controls.target.distanceTo(this.last.target)>1e-5*t&&(this.last.target.copy(this.controls.target),this.mode===wo?this.setMode(o0):this.settling=0)}update(t){let e=this.camera;e.near=t/200,e.far=t*60;let[n,s,r,o]=this.shift;if(e.aspect=r/o,e.setViewOffset(r,o,n,s,r,o),e.updateProjectionMatrix(),e.updateMatrixWorld(),!this.isFlat)return;let a=t*Math.tan(e.fov*Math.PI/360),l=this.flat;l.top=a,l.bottom=-a,l.right=a*r/o,l.left=-l.right,l.near=-t*20,l.far=t*20,l.position.copy(e.position),l.quaternion.copy(e.quaternion),l.setViewOffset(r,o,n,s,r,o),l.updateProjectionMatrix(),l.updateMatrixWorld()}resize(t,e,n,s,r){let o=t>900;this.covered=o?n+s:0,this.below=Math.min(r,.6*e),this.shift=[o?.5*(s-n):0,.5*this.below,t,e],this.hasChanged=!0}};var Sw=.02,cs=(i,t)=>[i[0]-t[0],i[1]-t[1],i[2]-t[2]],Sr=(i,t)=>i[0]*t[0]+i[1]*t[1]+i[2]*t[2],a0=(i,t)=>[i[1]*t[2]-i[2]*t[1],i[2]*t[0]-i[0]*t[2],i[0]*t[1]-i[1]*t[0]];function bw(i){let t=i[0],e=i.reduce((f,g)=>Sr(cs(g,t),cs(g,t))>Sr(cs(f,t),cs(f,t))?g:f,t),n=cs(e,t),s=Math.hypot(...n),r=[0,0,0];for(let f of i){let g=a0(n,cs(f,t));Sr(g,g)>Sr(r,r)&&(r=g)}let o=Math.hypot(...r);if(!(o>.001*s*s))return[];let a=r.map(f=>f/o),l=n.map(f=>f/s),c=a0(a,l);if(i.some(f=>Math.abs(Sr(a,cs(f,t)))>Sw*s))return[];let h=i.map(f=>({p:f,u:Sr(l,cs(f,t)),v:Sr(c,cs(f,t))})).sort((f,g)=>f.u-g.u||f.v-g.v),d=(f,g,x)=>(g.u-f.u)*(x.v-f.v)-(g.v-f.v)*(x.u-f.u),u=f=>{let g=[];for(let x of f){for(;g.length>1&&d(g.at(-2),g.at(-1),x)<=0;)g.pop();g.push(x)}return g.pop(),g};return[...u(h),...u(h.reverse())].map(f=>f.p)}var wh=class{constructor(t,e){let n=new ci({color:e,transparent:!0,opacity:.3,depthTest:!1,side:bn});this.mesh=new De(new Ze,n),this.mesh.frustumCulled=!1,this.mesh.renderOrder=3,this.mesh.visible=!1,this.count=0,t.add(this.mesh)}place(t){let e=new Map;for(let s=0;s<t.length;s+=8){if(t[s+3]===0&&t[s+4]===0&&t[s+5]===0)continue;let r=t[s+6]*4194304+t[s+7];e.has(r)||e.set(r,[]),e.get(r).push([t[s],t[s+1],t[s+2]])}let n=[];this.count=0;for(let s of e.values()){if(s.length<3)continue;let r=bw(s);for(let o=2;o<r.length;o++)n.push(...r[0],...r[o-1],...r[o]);r.length>2&&this.count++}this.mesh.geometry.dispose(),this.mesh.geometry=new Ze,this.mesh.geometry.setAttribute("position",new en(new Float32Array(n),3)),this.mesh.visible=n.length>0}hide(){this.count=0,this.mesh.visible=!1}};function ww(){let t=document.createElement("canvas").getContext("webgl2");if(!t)return"";let e=t.getExtension("WEBGL_debug_renderer_info"),n=e?t.getParameter(e.UNMASKED_RENDERER_WEBGL):t.getParameter(t.RENDERER);return t.getExtension("WEBGL_lose_context")?.loseContext(),String(n)}var Eh=class{constructor(){this.renderer=ww(),this.isSoftware=/swiftshader|llvmpipe|software|basic render/i.test(this.renderer);let t=Math.min(window.devicePixelRatio||1,2);this.levels=[{ratio:t,shadow:2048},{ratio:Math.min(t,1),shadow:1024},{ratio:Math.min(t,1),shadow:0},{ratio:.75,shadow:0},{ratio:.6,shadow:0},{ratio:.5,shadow:0}],this.still=this.isSoftware?{ratio:2,shadow:1024}:this.levels[0],this.first=this.isSoftware?2:0,this.at=this.first,this.isStill=!0,this.spans=[],this.restSince=0,this.lastTime=0,this.fps=0,this.slowUntil=this.levels.map(()=>0),this.patience=6e3}level(){return this.isStill?this.still:this.levels[this.at]}note(t,e){let n=t-this.lastTime;if(this.lastTime=t,!e)return this.spans.length=0,this.isStill||t-this.restSince<450?!1:(this.isStill=!0,!0);if(this.restSince=t,this.isStill)return this.isStill=!1,this.spans.length=0,!0;if(n>0&&n<2e3&&this.spans.push(n),this.spans.length<12)return!1;let s=[...this.spans].sort((o,a)=>o-a),r=s[s.length>>1];return this.fps=1e3/(this.spans.reduce((o,a)=>o+a,0)/this.spans.length),this.spans.length=0,r>42&&this.at<this.levels.length-1?(this.slowUntil[this.at++]=t+this.patience,this.patience*=2,!0):r<24&&this.at>this.first&&t>this.slowUntil[this.at-1]?(this.at--,!0):!1}};var ef=0,nf=1,l0=2,Ew=3,Ah=4,Tw=1e5,c0=[12730748,2792847,14721072,6970061],Aw=3e3;function Rw(i,t,e){let[n,s,r]=i.size,o=[[1,0,0],[0,1,0],[0,0,1]].map(a=>Math.abs(Xe(t.slice(3),a)[2]));return i.kind==="box"?.5*(n*o[0]+s*o[1]+r*o[2]):i.kind==="capsule"?n+.5*r*o[2]:i.kind==="cylinder"?n*Math.hypot(o[0],o[1])+.5*r*o[2]:e}var Rh=class{constructor(t,e,n,s,r=null){this.container=t,this.runs=r,this.model=e,this.meshes=s,this.layout=n,this.visible={joints:!1,forces:!1,moments:!1,contacts:!0,glyphs:!1,ghost:!0,springs:!0,limits:!1,wrenches:!0},this.selected=-1,this.selectedJoint=-1,this.theme=Kc,this.looks=new Uint8Array(e.bodies.names.length),this.scales={},this.overlays=[],this.forceScale=1,this.needsDraw=!0,this.frame=null,this.drag=null,this.covered=[0,0,0],this.quality=new Eh;let o=document.createElement("canvas"),a=o.getContext("webgl2",{alpha:!1,antialias:!this.quality.isSoftware,powerPreference:"high-performance"});this.renderer=new Zc({canvas:o,context:a??void 0}),this.renderer.toneMapping=wi,t.append(this.renderer.domElement),this.scene=new Qo,this.scene.background=new Xt(this.theme.sky),this.rig=new bh(this.renderer.domElement),this.buildBodies(),this.buildSkins(),this.buildJoints(),this.buildGlyphs(),this.links=new jc(this.scene,this,e),this.limits=new Qc(this.scene,this,e,n),this.forces=new Fs(this.scene,Ge.force),this.momentArrows=new Fs(this.scene,Ge.moment),this.contactArrows=new Fs(this.scene,Ge.contact),this.wrenchArrows=new Fs(this.scene,Ge.wrench),this.patches=new Ti(this.scene,new ti(1,1,1,14).rotateX(Math.PI/2),new ci({color:Ge.contact,transparent:!0,opacity:.75,depthTest:!1})),this.areas=new wh(this.scene,Ge.contact),this.pushArrow=new Fs(this.scene,Ge.push),new ResizeObserver(()=>this.resize()).observe(t),this.resize()}get camera(){return this.rig.view}get controls(){return this.rig.controls}solids(){let e=this.model.parts.body.length<(this.quality.isSoftware?400:3e3);return[new er(1,e?28:12,e?18:8),new hi(1,1,1),new ti(1,1,1,e?28:10).rotateX(Math.PI/2),new ti(1,1,1,3,1,!0).rotateX(Math.PI/2)]}meshKind(t){return this.meshKinds.has(t)||(this.meshKinds.set(t,Ah+this.meshGeometries.length),this.meshGeometries.push(Em(this.meshes[t]))),this.meshKinds.get(t)}listParts(){let t=[[],[],[],[]];this.meshKinds=new Map,this.meshGeometries=[],this.worldLow=1/0,this.planes=[];let{parts:e,shapes:n,bodies:s}=this.model,r=new Uint8Array(s.names.length),o=e.body.length>Tw;this.extent=new Float32Array(s.names.length),this.bodyBox=new Float32Array(6*s.names.length),this.bodyBoxes=new Map,this.standing=new yn,e.body.forEach((a,l)=>{let c=n[e.shape[l]],h=e.pose.slice(7*l,7*l+7),[d,u,f]=c.size,g=(p,T,b)=>t[p].push({body:a,pose:T,scale:b,color:c.color}),x=c.mesh!==void 0&&!this.meshes[c.mesh];a>=0&&!x&&(r[a]=1);let m=0;if(c.kind==="sphere"&&(g(ef,h,[d,d,d]),m=d),c.kind==="ellipsoid"&&(g(ef,h,[d,u,f]),m=Math.max(d,u,f)),c.kind==="box"&&(g(nf,h,[d,u,f]),m=.5*Math.hypot(d,u,f)),c.kind==="cylinder"&&(g(l0,h,[d,d,f]),m=Math.hypot(d,f/2)),c.kind==="capsule"&&a>=0&&o)g(Ew,h,[d,d,f]),m=d+f/2;else if(c.kind==="capsule"){g(l0,h,[d,d,f]);for(let p of[-.5,.5]){let T=Xe(h.slice(3),[0,0,p*f]);g(ef,[h[0]+T[0],h[1]+T[1],h[2]+T[2],...h.slice(3)],[d,d,d])}m=d+f/2}if(a<0&&m>0&&(this.worldLow=Math.min(this.worldLow,h[2]-Rw(c,h,m))),c.kind==="plane"&&this.planes.push({pose:h,color:c.color}),c.mesh!==void 0&&!x){let p=this.meshKind(c.mesh),T=this.meshGeometries[p-Ah];(t[p]??(t[p]=[])).push({body:a,pose:h,scale:[1,1,1],color:c.color}),m=T.boundingSphere.center.length()+T.boundingSphere.radius,a<0&&(this.worldLow=Math.min(this.worldLow,h[2]+T.boundingBox.min.z))}if(a<0&&!x&&m>0){let{middle:p,half:T}=h0(c,this.meshGeometries,this.meshKinds),b=fi(h.slice(0,3),Xe(h.slice(3),p)),S=sf(h.slice(3),T);this.standing.expandByPoint(new U(...b.map((P,R)=>P-S[R]))).expandByPoint(new U(...b.map((P,R)=>P+S[R])))}a>=0&&!x&&m>0&&this.growBox(a,h,h0(c,this.meshGeometries,this.meshKinds)),a>=0&&(this.extent[a]=Math.max(this.extent[a],m+Math.hypot(h[0],h[1],h[2])))}),this.plainBodies=0;for(let a=0;a<s.names.length;a++){if(r[a])continue;this.plainBodies++;let l=ud(s.inertia.slice(6*a,6*a+6)),c=fd(s.mass[a]||1,l.moments,12);t[nf].push({body:a,pose:[...s.com.slice(3*a,3*a+3),...dd(l.axes)],scale:c,color:Ge.plain}),this.extent[a]=.5*Math.hypot(...c),this.growBox(a,t[nf].at(-1).pose,{middle:[0,0,0],half:c.map(h=>h/2)})}return t}growBox(t,e,{middle:n,half:s}){let r=fi(e.slice(0,3),Xe(e.slice(3),n)),o=sf(e.slice(3),s),a=this.bodyBoxes.get(t)??[1/0,1/0,1/0,-1/0,-1/0,-1/0];for(let l=0;l<3;l++)a[l]=Math.min(a[l],r[l]-o[l]),a[3+l]=Math.max(a[3+l],r[l]+o[l]);this.bodyBoxes.set(t,a);for(let l=0;l<3;l++)this.bodyBox[6*t+l]=.5*(a[l]+a[3+l]),this.bodyBox[6*t+3+l]=.5*(a[3+l]-a[l])}spread(t,e,n){let s=this.layout.poses+7*n,r=6*n,o=[e[s+3],e[s+4],e[s+5],e[s+6]],a=Xe(o,[this.bodyBox[r],this.bodyBox[r+1],this.bodyBox[r+2]]),l=sf(o,[this.bodyBox[r+3],this.bodyBox[r+4],this.bodyBox[r+5]]),{min:c,max:h}=t,[d,u,f]=[e[s]+a[0],e[s+1]+a[1],e[s+2]+a[2]];Number.isFinite(d+u+f)&&(c.set(Math.min(c.x,d-l[0]),Math.min(c.y,u-l[1]),Math.min(c.z,f-l[2])),h.set(Math.max(h.x,d+l[0]),Math.max(h.y,u+l[1]),Math.max(h.z,f+l[2])))}buildBodies(){let t=this.listParts(),e=[...this.solids(),...this.meshGeometries];this.isLarge=t.slice(0,Ah).reduce((n,s)=>n+s.length,0)>2e4,this.isPlain=this.isLarge||this.quality.isSoftware,this.bodyMaterial=this.isPlain?new Xn:new ha({roughness:.62,metalness:.05}),this.glassMaterial=new Xn({transparent:!0,opacity:.22,depthWrite:!1}),this.ghostMaterial=new Xn({color:4482221,transparent:!0,opacity:.28,depthWrite:!1}),this.parts=t.map((n,s)=>new Gi(e[s],this.bodyMaterial,n,!0)),this.glassParts=null,this.solidGeometries=e,this.ghostParts=t.map((n,s)=>{let r=n.filter(o=>o.body>=0).map(({body:o,pose:a,scale:l})=>({body:o,pose:a,scale:l}));return new Gi(e[s],this.ghostMaterial,this.isLarge?[]:r,!1)});for(let n of this.parts)n.mesh.castShadow=n.mesh.receiveShadow=!this.isLarge,this.scene.add(n.mesh);for(let n of this.ghostParts)n.mesh.visible=!1,this.scene.add(n.mesh)}buildSkins(){let{deformables:t}=this.model,e=new Xn({color:Ge.soft,flatShading:!0,side:bn});this.dots=new Qr({color:Ge.soft}),this.skins=t.map(s=>new Aa(s,e,this.dots));let n=this.ghostMaterial.clone();n.flatShading=!0,n.side=bn,this.ghostSkins=t.map(s=>new Aa(s,n,this.dots));for(let s of this.skins)s.mesh.castShadow=s.mesh.receiveShadow=!this.isLarge,this.scene.add(s.mesh);for(let s of this.ghostSkins)s.mesh.visible=!1,this.scene.add(s.mesh)}placeSkins(t){let e=this.layout.skins;for(let n of this.skins)e=n.place(t.values,e);e=this.layout.ghostSkins;for(let n of this.ghostSkins)n.mesh.visible=t.hasGhost&&this.visible.ghost,n.mesh.visible&&(e=n.place(t.values,e))}buildJoints(){let{joints:t}=this.model,e=t.names.length,n=[],s=[],r=[];for(let l=0;l<e;l++){let c=t.frameBase.slice(7*l,7*l+7);n.push({body:t.follower[l],pose:t.frameFollower.slice(7*l,7*l+7),scale:[1,1,1]});for(let h of t.axes[l]){let d={x:[Math.SQRT1_2,0,Math.SQRT1_2,0],y:[Math.SQRT1_2,-Math.SQRT1_2,0,0],z:[1,0,0,0]}[h[1]],u=[...c.slice(0,3),...Us(c.slice(3),d)];(h[0]==="t"?s:r).push({body:t.base[l],pose:u,scale:[1,1,1]})}}let o=this.isPlain?6:14,a=(l,c,h)=>{let d=new Gi(l,new Xn({color:c}),h,!1);return d.mesh.visible=!1,this.scene.add(d.mesh),d};this.jointParts=[a(new er(1,o,2*o/3),this.theme.joint,n),a(new ti(.42,.42,9,this.isPlain?5:8).rotateX(Math.PI/2),Ge.turn,r),a(new hi(.7,.7,9),Ge.slide,s)]}buildGlyphs(){let{bodies:t}=this.model,e=[],n=[];if(!this.isLarge)for(let a=0;a<t.names.length;a++){if(t.fixed[a]||!(t.mass[a]>0))continue;let l=t.com.slice(3*a,3*a+3),c=ud(t.inertia.slice(6*a,6*a+6));e.push({body:a,pose:[...l,1,0,0,0],scale:[1,1,1]}),n.push({body:a,pose:[...l,...dd(c.axes)],scale:fd(t.mass[a],c.moments,5)})}let s=new Xn({color:5731728,transparent:!0,opacity:.3,depthWrite:!1}),r=new ci({color:1914199,depthTest:!1}),o=new er(1,20,14);this.glyphParts=[new Gi(o,s,n,!1),new Gi(o,r,e,!1)];for(let a of this.glyphParts)a.mesh.visible=!1,a.mesh.renderOrder=2,this.scene.add(a.mesh)}settle(t){let e=new yn,n=this.model.bodies.names.length,s=[];for(let h=0;h<n;h++)this.spread(e,t,h),s.push(this.extent[h]);for(let h of this.model.springs)h.bodies.forEach((d,u)=>d<0&&e.expandByPoint(new U(...h.points.slice(3*u,3*u+3))));for(let h=this.layout.skins;h<this.layout.ghost;h+=3)e.expandByPoint(new U(t[h],t[h+1],t[h+2]));let r=e.clone().union(this.standing),[o,a]=[e,r].map(h=>h.getSize(new U).length());!this.standing.isEmpty()&&(e.isEmpty()||a<2.2*o)&&e.copy(r),e.isEmpty()&&e.set(new U(-1,-1,0),new U(1,1,1)),s.sort((h,d)=>h-d);let l=Math.max(e.getSize(new U).length(),.001),c=s.length?s[s.length>>1]:l;this.box=e,this.size=l,this.unit=Math.min(Math.max(.35*c,l/800),l/14);for(let h of this.jointParts)this.rescale(h,.16*this.unit);this.rescale(this.glyphParts[1],.14*this.unit),this.dots.size=l/60,this.patchSize=Math.min(.25*this.unit,l/110),this.buildGround(e,l),this.buildLight(e,l),this.limits.build(2*this.unit),this.rig.begin(e,this.boundsOfRun())}boundsOfRun(){let{runs:t}=this;if(t){let s=new yn,r=Math.max(1,Math.ceil(t.count*this.extent.length/2e4));for(let o=0;o<t.count;o+=r){let a=this.motionOf(t.values.subarray(o*t.width,(o+1)*t.width));a&&s.union(a.box)}return s.isEmpty()?null:s}let e=this.model.bounds;if(!e)return null;let n=0;for(let s=0;s<this.extent.length;s++)this.model.bodies.fixed[s]||(n=Math.max(n,this.extent[s]));return new yn(new U(e[0],e[1],e[2]),new U(e[3],e[4],e[5])).expandByScalar(n)}motionOf(t){let{bodies:e}=this.model,n=e.names.length,s=Math.max(1,Math.ceil(n/Aw)),r=new yn,o=new U,a=new U,l=0;for(let h=0;h<n;h+=s){if(e.fixed[h]||this.looks[h]!==qn)continue;let d=this.layout.poses+7*h;if(a.set(t[d],t[d+1],t[d+2]),!Number.isFinite(a.x+a.y+a.z))continue;let u=e.mass[h]||1e-9;o.addScaledVector(a,u),l+=u,this.spread(r,t,h)}for(let h=this.layout.skins;h<this.layout.ghost;h+=3*s)r.expandByPoint(a.set(t[h],t[h+1],t[h+2]));if(r.isEmpty())return null;l>0?o.divideScalar(l):r.getCenter(o);let c=new U().subVectors(r.max,o).max(new U().subVectors(o,r.min));return{box:r,middle:o,radius:Math.max(.82*c.length(),1e-4)}}middleOf(t){let e=this.model.bodies.com.slice(3*t,3*t+3),n=this.poseOf(t);return new U(...fi(n.p,Xe(n.q,e)))}rescale(t,e){t.scale.fill(e)}buildGround(t,e){let n=Math.max(6*e,1),s=t.getCenter(new U),r=this.planes.length>0,o=Math.min(t.min.z,this.worldLow),a=r?this.planes[0].pose[2]:o-.02*e,l=Th(e/8),c=new ss(2*n,2*n),h=new De(c,Cw(r));h.renderOrder=-1,h.position.set(s.x,s.y,a-.002*e);let d=new De(c,new ca({color:this.theme.shade,opacity:.22,depthWrite:!1}));d.position.set(s.x,s.y,a+5e-4*e),d.receiveShadow=!0;let u=Math.min(Math.ceil(n/l),60),f=new ga(2*u*l,2*u,16777215,16777215);f.rotation.x=Math.PI/2,f.position.set(Math.round(s.x/l)*l,Math.round(s.y/l)*l,a),f.material.transparent=!0,f.material.opacity=.6,this.gridStep=l,this.scene.add(h,f,d),this.ground={floor:h,grid:f,shade:d,level:a,step:l,hasPlane:r,isShown:!0},this.scene.fog=new jo(this.theme.sky,3.2*e,7*e),Math.abs(this.model.gravity[2])<1e-9&&!r&&(this.ground.isShown=!1),this.paint()}buildLight(t,e){let n=t.getCenter(new U);this.sky=new fa(this.theme.skyLight,this.theme.groundLight,1.55),this.sky.position.set(0,0,1);let s=new pa(16777215,1.9);this.sun=s,this.renderer.shadowMap.type=jl,s.shadow.bias=-4e-4,s.shadow.normalBias=.002*e,this.placeLight(n,e),this.scene.add(this.sky,s,s.target),this.applyQuality()}placeLight(t,e){let n=this.sun;n.position.copy(t).add(new U(.6*e,-.5*e,1.3*e)),n.target.position.copy(t);let s=n.shadow.camera;s.left=s.bottom=-1.1*e,s.right=s.top=1.1*e,s.near=.05*e,s.far=4*e,s.updateProjectionMatrix(),this.lit={centre:t.clone(),size:e}}followView(){let t=this.ground,e=this.rig,n=e.controls.target,s=e.camera.position.distanceTo(n);this.scene.fog.near=2.1*s,this.scene.fog.far=5*s,t.floor.material.uniforms.near.value=this.scene.fog.near,t.floor.material.uniforms.far.value=this.scene.fog.far;for(let l of[t.floor,t.shade])l.position.set(n.x,n.y,l.position.z);t.grid.position.set(Math.round(n.x/t.step)*t.step,Math.round(n.y/t.step)*t.step,t.level);let r=!t.hasPlane&&n.z<t.level-1.5*this.size;t.floor.visible=t.grid.visible=t.isShown&&!r,t.shade.visible=t.isShown&&!r&&this.hasShadows;let o=Math.max(this.size,1.7*e.goal.radius);(this.lit.centre.distanceTo(e.goal.centre)>.25*this.lit.size||o>1.3*this.lit.size)&&this.placeLight(e.goal.centre,o)}setTheme(t){this.theme=t,this.paint(),this.sky&&(this.sky.color.setHex(t.skyLight),this.sky.groundColor.setHex(t.groundLight)),this.needsDraw=!0}paint(){let t=this.theme;this.scene.background.setHex(t.sky),this.jointParts[0].mesh.material.color.setHex(t.joint),this.ground&&(this.scene.fog.color.setHex(t.sky),this.ground.floor.material.uniforms.ground.value=u0(t.ground),this.ground.floor.material.uniforms.sky.value=u0(t.sky),this.ground.grid.material.color.setHex(t.grid),this.ground.shade.material.color.setHex(t.shade))}applyQuality(){let t=this.quality.level(),e=t.shadow>0&&!this.isLarge;this.renderer.getPixelRatio()!==t.ratio&&this.renderer.setPixelRatio(t.ratio),(e!==this.hasShadows||e&&this.sun.shadow.mapSize.x!==t.shadow)&&(this.hasShadows=e,this.renderer.shadowMap.enabled=e,this.sun.castShadow=e,e&&(this.sun.shadow.mapSize.set(t.shadow,t.shadow),this.sun.shadow.map?.dispose(),this.sun.shadow.map=null),this.ground&&(this.ground.shade.visible=e&&this.ground.isShown),this.scene.traverse(n=>n.material&&(n.material.needsUpdate=!0))),this.needsDraw=!0}setFrame(t){let e=this.frame===null;this.frame=t,e&&this.settle(t.values);let{poses:n,ghost:s}=this.layout,r=this.hasLooks===!0;for(let o of this.parts)o.place(t.values,n,r?this.looks:null,qn);if(this.glassParts)for(let o of this.glassParts)o.place(t.values,n,this.looks,pi);this.placeIf(this.ghostParts,t.hasGhost&&this.visible.ghost,t.values,s);for(let o of this.overlays)for(let a of o.parts)a.place(o.overlay.valuesAt(t.time),0);this.placeSkins(t),this.placeIf(this.jointParts,this.visible.joints,t.values,n),this.placeIf(this.glyphParts,this.visible.glyphs,t.values,n),this.links.place(this.visible.springs),this.limits.place(this.visible.limits,t,this.selectedJoint),this.placeLoads(t),this.placeContacts(t),this.placeWrenches(t),this.rig.frame(this.motionOf(t.values),o=>this.middleOf(o)),this.needsDraw=!0}placeIf(t,e,n,s){for(let r of t)r.mesh.visible=e,e&&r.place(n,s)}refresh(){this.frame&&this.setFrame(this.frame)}poseOf(t){if(t<0)return{p:[0,0,0],q:[1,0,0,0]};let e=this.frame.values,n=this.layout.poses+7*t;return{p:[e[n],e[n+1],e[n+2]],q:[e[n+3],e[n+4],e[n+5],e[n+6]]}}loadOf(t,e){let{joints:n}=this.model,s=this.frame.values,r=this.layout.loads+6*t+e,o=this.poseOf(n.base[t]),a=this.poseOf(n.follower[t]),l=Us(o.q,n.frameBase.slice(7*t+3,7*t+7)),c=Xe(a.q,n.frameFollower.slice(7*t,7*t+3));return{at:[c[0]+a.p[0],c[1]+a.p[1],c[2]+a.p[2]],vector:Xe(l,[s[r],s[r+1],s[r+2]])}}scaleFor(t,e){var r;let n=(r=this.scales)[t]??(r[t]={full:0,longSince:null,shortSince:null,largest:0,cut:!1}),s=performance.now();return n.largest=e,n.full===0&&(n.full=Th(e)),n.longSince=e>n.full?n.longSince??s:null,n.shortSince=e>0&&e<.22*n.full?n.shortSince??s:null,n.longSince!==null&&s-n.longSince>250&&(n.full=Th(e)),n.shortSince!==null&&s-n.shortSince>900&&(n.full=Th(e)),n.cut=e>1.3*n.full,n.full>0?this.forceScale*.24*this.size/n.full:0}placeVectors(t,e,n){let s=0,r=null;for(let h of e)h.size=Math.hypot(...h.vector),h.size>s&&([s,r]=[h.size,h.source]);let o=this.scaleFor(n,s),a=this.scales[n];a.who=r,a.isOn=!0;let l=1.3*a.full,c=Math.min(Math.max(.1*this.unit,.0022*this.size),.006*this.size);t.begin(e.length);for(let{at:h,vector:d,size:u,source:f}of e){let g=u>l?o*l/u:o;t.add(h,d.map(x=>g*x),c,{...f,size:u,key:n})}t.end()}placeLoads(){let t=this.model.detail?this.model.joints.names.length:0;for(let[e,n,s,r]of[["forces",this.forces,0,"force"],["moments",this.momentArrows,3,"moment"]]){if(!this.visible[e]||t===0){n.hide(),this.scales[r]&&(this.scales[r].isOn=!1);continue}let o=[];for(let a=0;a<t;a++)o.push({...this.loadOf(a,s),source:{joint:a}});this.placeVectors(n,o,r)}}placeContacts(t){let e=t.contacts;if(!this.visible.contacts||e.length===0){this.contactArrows.hide(),this.patches.hide(),this.areas.hide(),this.scales.contact&&(this.scales.contact.isOn=!1);return}let n=[];this.patches.begin(e.length/8);for(let s=0;s<e.length;s+=8){let r=[e[s+3],e[s+4],e[s+5]],o=[e[s],e[s+1],e[s+2]],a=Math.hypot(...r);n.push({at:o,vector:r,source:{contact:s/8,a:e[s+6],b:e[s+7]}}),a>0&&this.patches.add(o,pr(r.map(l=>l/a)),this.patchSize,this.patchSize,.04*this.patchSize)}this.patches.end(),this.areas.place(e),this.placeVectors(this.contactArrows,n,"contact")}placeWrenches(t){let{wrenches:e}=this.model;if(!this.visible.wrenches||!this.model.detail||e.length===0){this.wrenchArrows.hide();return}let n=e.map((s,r)=>{let o=this.poseOf(s.body),a=this.layout.wrenches+6*r;return{at:fi(o.p,Xe(o.q,s.point)),vector:Array.from(t.values.subarray(a,a+3)),source:{wrench:r}}});this.placeVectors(this.wrenchArrows,n,"wrench")}showPush(t,e){this.pushArrow.begin(1),t&&this.pushArrow.add(t,e,Math.max(.12*this.unit,.003*this.size)),this.pushArrow.end(),this.needsDraw=!0}rayAt(t,e){let n=this.renderer.domElement.getBoundingClientRect(),s=new ma;return s.setFromCamera(new It(2*(t-n.left)/n.width-1,1-2*(e-n.top)/n.height),this.camera),s}pick(t,e){let n=this.glassParts?[...this.parts,...this.glassParts]:this.parts;for(let r of n)r.mesh.boundingSphere=null;let s=this.rayAt(t,e).intersectObjects(n.map(r=>r.mesh));for(let r of s){let o=r.object.userData.list[r.instanceId].body;if(o>=0)return{body:o,point:r.point.toArray()}}return null}pickJoint(t,e,n=9){if(!this.visible.joints)return-1;let s=-1,r=n;for(let o=0;o<this.model.joints.names.length;o++){let[a,l]=this.toScreen(this.jointPoint(o)),c=Math.hypot(a-t,l-e);c<r&&([s,r]=[o,c])}return s}pickArrow(t,e){let n=this.rayAt(t,e);for(let s of[this.forces,this.momentArrows,this.contactArrows,this.wrenchArrows]){let r=s.meshes();if(r.length===0)continue;for(let a of r)a.boundingSphere=null;let o=n.intersectObjects(r)[0];if(o)return s.sources[o.instanceId]}return null}jointPoint(t){let{joints:e}=this.model,n=this.poseOf(e.follower[t]);return fi(n.p,Xe(n.q,e.frameFollower.slice(7*t,7*t+3)))}toScreen(t){let e=new U(...t).project(this.camera),n=this.renderer.domElement.getBoundingClientRect();return[n.left+(.5+.5*e.x)*n.width,n.top+(.5-.5*e.y)*n.height,e.z]}screenOf(t){return this.toScreen(this.middleOf(t).toArray()).slice(0,2)}pointAt(t,e,n){let s=this.camera.getWorldDirection(new U),r=new zn().setFromNormalAndCoplanarPoint(s,new U(...n)),o=this.rayAt(t,e).ray.intersectPlane(r,new U);return o?o.toArray():n}select(t){if(t!==this.selected){for(let e of this.parts)e.list.forEach((n,s)=>{n.body!==this.selected&&n.body!==t||(e.mesh.setColorAt(s,new Xt(n.body===t?Ge.selected:n.color)),e.mesh.instanceColor&&(e.mesh.instanceColor.needsUpdate=!0))});this.selected=t,this.needsDraw=!0}}selectJoint(t){this.selectedJoint=t,this.refresh()}addOverlay(t){let e=c0[this.overlays.length%c0.length],n=this.ghostMaterial.clone();n.color.setHex(e);let s=this.parts.map((r,o)=>new Gi(this.solidGeometries[o],n,r.list.filter(a=>a.body>=0).map(({body:a,pose:l,scale:c})=>({body:a,pose:l,scale:c})),!1));for(let r of s)this.scene.add(r.mesh);return this.overlays.push({overlay:t,parts:s,color:e}),this.refresh(),e}removeOverlay(t){let e=this.overlays.findIndex(n=>n.overlay===t);if(!(e<0)){for(let n of this.overlays[e].parts)this.scene.remove(n.mesh);this.overlays.splice(e,1),this.refresh()}}setLook(t,e){if(this.looks[t]=e,this.hasLooks=!0,e===pi&&!this.glassParts){this.glassParts=this.parts.map((n,s)=>new Gi(this.solidGeometries[s],this.glassMaterial,n.list,!0));for(let n of this.glassParts)this.scene.add(n.mesh)}this.refresh()}resize(){let t=Math.max(this.container.clientWidth,1),e=Math.max(this.container.clientHeight,1);this.renderer.setSize(t,e),this.rig.resize(t,e,...this.covered),this.needsDraw=!0}setCovered(t,e,n=0){this.covered=[t,e,n],this.resize()}fit(){this.rig.fit("iso"),this.needsDraw=!0}draw(t=!1){let e=performance.now(),n=Math.min((e-(this.drawnAt??e))/1e3,.25);if(this.drawnAt=e,!this.frame)return!1;let s=this.rig.tick(n),r=s||t||this.needsDraw;return this.quality.note(e,r)&&this.applyQuality(),!this.needsDraw&&!s?!1:(this.needsDraw=!1,this.render(),!0)}render(){this.followView(),this.renderer.render(this.scene,this.camera)}};function sf([i,t,e,n],[s,r,o]){return[Math.abs(1-2*(e*e+n*n))*s+Math.abs(2*(t*e-i*n))*r+Math.abs(2*(t*n+i*e))*o,Math.abs(2*(t*e+i*n))*s+Math.abs(1-2*(t*t+n*n))*r+Math.abs(2*(e*n-i*t))*o,Math.abs(2*(t*n-i*e))*s+Math.abs(2*(e*n+i*t))*r+Math.abs(1-2*(t*t+e*e))*o]}function h0(i,t,e){let[n,s,r]=i.size,o=[0,0,0];if(i.kind==="sphere")return{middle:o,half:[n,n,n]};if(i.kind==="ellipsoid")return{middle:o,half:[n,s,r]};if(i.kind==="box")return{middle:o,half:[n/2,s/2,r/2]};if(i.kind==="cylinder")return{middle:o,half:[n,n,r/2]};if(i.kind==="capsule")return{middle:o,half:[n,n,r/2+n]};let a=t[e.get(i.mesh)-Ah].boundingBox,l=a.getCenter(new U);return{middle:l.toArray(),half:a.max.clone().sub(l).toArray()}}var u0=i=>new U(i>>16&255,i>>8&255,i&255).divideScalar(255);function Cw(i){return new Qn({depthWrite:i,uniforms:{ground:{value:null},sky:{value:null},near:{value:1},far:{value:2}},vertexShader:"varying float depth; void main() { vec4 p = modelViewMatrix * vec4(position, 1.0); depth = -p.z; gl_Position = projectionMatrix * p; }",fragmentShader:"uniform vec3 ground; uniform vec3 sky; uniform float near; uniform float far; varying float depth; void main() { gl_FragColor = vec4(mix(ground, sky, smoothstep(near, far, depth)), 1.0); }"})}function Th(i){if(!(i>0)||!Number.isFinite(i))return 0;let t=10**Math.floor(Math.log10(i));for(let e of[1,2,5,10])if(e*t>=i*(1-1e-9))return e*t;return 10*t}var Ch=[.05,.1,.25,.5,1,2,4,10],hs={play:"M6 4 L15 10 L6 16 Z",pause:"M6 4 H8.5 V16 H6 Z M11.5 4 H14 V16 H11.5 Z",start:"M5 4 V16 M15 4.5 L8 10 L15 15.5 Z",back:"M12.5 4.5 L6.5 10 L12.5 15.5",forward:"M7.5 4.5 L13.5 10 L7.5 15.5",again:"M15.5 10 A5.5 5.5 0 1 1 13.4 5.7 M13.6 2.6 V6 H10.2",menu:"M4 6 H16 M4 10 H16 M4 14 H16",chart:"M4 15 L8 9 L11.5 12 L16 5"},Pw=[["Space","play, pause"],["\u2192  \u2190","one step on, one step back (Shift: ten)"],["Home  End","to the start, to the end"],["[  ]","slower, faster"],["F  C","keep everything in view; follow the picked body"],["0  1  3  7  5","from a corner, front, side, top; parallel view"],["J  A  T","joints and axes, joint forces, joint moments"],["K  M  S  X","contacts, masses, springs, limits"],["N  L  P","names, table of joints, plots"],["/","search bodies and joints"],["D","light or dark"],["Click","a body or a joint to see its state; Esc to let it go"],["Ctrl + drag","push a body of a live simulation (with Shift: twist)"],["Touch and hold","push, on a screen that is touched"],["Drag, right drag, wheel","turn, shift, zoom the camera"],["?","this help"]],Ph=class{constructor(t,e,n={}){this.root=t,this.source=e,this.isReport=n.isReport===!0,this.model=e.model,this.layout=new ih(this.model),this.state={playing:!1,speed:1,time:0,first:0,head:0,live:this.model.live},this.isScrubbing=!1,this.lastSeries=0,this.frames=0,this.drawn=0,this.rates={jointRates:Ra},this.build(),this.world=new Rh(this.stage,this.model,this.layout,this.source.meshes,this.source.runs),this.plots=new yh(this.plotBody,this.model,this.layout,e),this.plotCard.hidden=this.plots.panels.length===0,this.world.rig.onMode=s=>this.hud.showMode(s),this.hud.showMode("auto"),this.setTheme(this.chosenTheme()),this.centre(),this.chooseView(),this.bind()}build(){[this.noteHead,...this.noteLines]=(this.model.note||"").split(`
`),this.remark=[this.noteHead,this.leftOut()].filter(Boolean).join(". "),this.stage=it("div",{class:"stage"}),this.root.append(this.stage),this.hud=new nh(this),this.root.append(this.hud.names,this.hud.element),this.cards=new th(this),this.table=new eh(this),this.buildTitle(),this.buildSide(),this.buildPlots(),this.root.append(this.table.element),this.buildBar(),this.note=it("div",{class:"note",hidden:!0,role:"status"}),this.help=this.buildHelp(),this.root.append(this.note,this.help,this.hud.tip),this.isReport&&this.root.classList.add("report")}buildTitle(){let{bodies:t,joints:e,deformables:n}=this.model,s=(r,o,a)=>`${r.toLocaleString("en")} ${r===1?o:a}`;this.title=it("header",{class:"card title"},it("h1",{},this.model.name||"scene"),it("p",{},s(t.names.length,"body","bodies")+(e.names.length>0?`, ${s(e.names.length,"joint","joints")}`:"")+(n.length>0?`, ${s(n.length,"deformable","deformables")}`:""),it("span",{class:"badge"},this.model.live?"live":"recording"))),this.left=it("div",{class:"left"}),this.isReport||this.left.append(this.title),this.root.append(this.left)}buildSide(){if(this.side=it("aside",{class:"card side"}),this.bodyCard=this.cards.element,this.side.append(this.bodyCard),this.buildToggles(),this.tree=new vh(this.model,this),this.treeSection=this.section("Bodies and joints",this.tree.element,this.model.bodies.names.length<=40&&!this.isReport),this.side.append(this.treeSection),this.noteLines.length>0){let t=it("ul",{class:"notes"},...this.noteLines.map(e=>it("li",{},e)));this.side.append(this.section("Not simulated as written",t,!1))}this.model.live&&this.buildMethod(),this.model.live&&this.model.controls.length+this.model.inputs.length>0&&this.buildControls(),this.left.append(this.side)}section(t,e,n=!0){return it("details",{class:"section",open:n},it("summary",{},t),e)}buildToggles(){let t=this.model.has,e=[["joints","Joints and axes","J",this.model.joints.names.length>0],["forces","Joint forces","A",this.model.detail&&t.joints],["moments","Joint moments","T",this.model.detail&&t.joints],["contacts","Contact forces","K",t.contacts],["wrenches","Applied forces","",this.model.detail&&this.model.wrenches.length>0],["springs","Springs and tendons","S",this.model.springs.length>0],["limits","Joint limits","X",this.model.detail&&this.model.limits.length>0],["glyphs","Mass and inertia","M",this.model.parts.body.length<=2e4],["names","Names","N",!0]],n=it("div",{});this.toggles={};for(let[r,o,a,l]of e){if(!l)continue;let c=it("input",{type:"checkbox",id:`show-${r}`});c.addEventListener("change",()=>this.toggle(r,c.checked)),this.toggles[r]=c,n.append(it("label",{class:"check"},c,it("span",{},o),a?it("kbd",{},a):""))}this.arrowScale=it("input",{type:"range",min:"-1",max:"1",step:"0.05",value:"0",title:"length of the arrows"}),this.arrowScale.addEventListener("input",()=>{this.world.forceScale=10**+this.arrowScale.value,this.world.refresh()}),(this.model.detail&&t.joints||t.contacts)&&n.append(it("label",{class:"row"},"Arrow length",this.arrowScale));let s=!(this.isReport&&this.root.clientWidth<620);Object.keys(this.toggles).length>0&&this.side.append(this.section("Show",n,s));for(let r of["springs","wrenches"])this.toggles[r]&&(this.toggles[r].checked=!0)}buildMethod(){let t=this.model.settings,e=this.model.pairs,n=(r,o,a)=>{let l=it("select",{id:r});for(let c of o)l.append(it("option",{value:c},c));return l.value=a,l};this.formulation=n("formulation",e.map(r=>r.formulation),t.formulation),this.integrator=n("integrator",[],""),this.step=it("input",{id:"step",type:"number",min:"1e-6",max:"1",step:"any",value:t.step}),this.fillIntegrators(t.integrator);let s=["none"];for(let r of e)for(let o of r.integrators)s.push(`${r.formulation} ${o}`);this.ghost=n("ghost",s,"none"),this.formulation.addEventListener("change",()=>{this.fillIntegrators(null),this.sendMethod()}),this.integrator.addEventListener("change",()=>this.sendMethod()),this.step.addEventListener("change",()=>this.sendMethod()),this.ghost.addEventListener("change",()=>this.source.send(`ghost ${this.ghost.value}`)),this.side.append(this.section("Method",it("div",{},it("label",{class:"row"},"Formulation",this.formulation),it("label",{class:"row"},"Integrator",this.integrator),it("label",{class:"row"},"Step, s",this.step),it("label",{class:"row",title:"the same scene by another method, from here on, drawn in glass; start again to compare from the start"},"Ghost",this.ghost))))}fillIntegrators(t){let e=this.model.pairs.find(n=>n.formulation===this.formulation.value);this.integrator.replaceChildren();for(let n of e.integrators)this.integrator.append(it("option",{value:n},n));this.integrator.value=t||e.default}sendMethod(){let t=+this.step.value;if(!(t>=1e-6&&t<=1)){this.tell("the step must be between 0.000001 and 1 s");return}this.source.send(`method ${this.formulation.value} ${this.integrator.value} ${t}`)}buildControls(){let t=it("div",{class:"controls"});this.sliders=[],this.driven=new Set;let e=[...this.model.controls.map((s,r)=>({...s,words:`control ${r}`})),...this.model.inputs.map((s,r)=>({...s,words:`input ${r}`}))];e.slice(0,80).forEach((s,r)=>{let o=it("input",{type:"range",min:s.low,max:s.high,step:"any",value:s.value,"data-control":r,"aria-label":s.label}),a=it("input",{type:"number",step:"any",value:+s.value.toPrecision(3),"aria-label":`${s.label}, value`}),l=it("button",{class:"small",title:"back to the scene's own control",type:"button"},"auto"),c=h=>{this.driven.add(r),l.classList.add("on"),this.source.send(`${s.words} ${h}`)};o.addEventListener("input",()=>{a.value=+(+o.value).toPrecision(4),c(o.value)}),a.addEventListener("change",()=>{Number.isFinite(a.valueAsNumber)&&(o.value=a.valueAsNumber,c(a.valueAsNumber))}),l.addEventListener("click",()=>{this.driven.delete(r),l.classList.remove("on"),this.source.send(`${s.words} auto`)}),this.sliders.push({slider:o,value:a,release:l,coordinate:s.coordinate}),t.append(it("div",{class:"control"},it("span",{class:"label",title:s.label},s.label),a,o,l))}),e.length>80&&t.append(it("p",{class:"hint"},`and ${e.length-80} more`));let n=it("button",{class:"wide",id:"home",type:"button",title:"all actuators back to the scene's own controls"},"all back to the scene's controls");n.addEventListener("click",()=>this.sliders.forEach(({release:s},r)=>this.driven.has(r)&&s.click())),t.append(n),this.side.append(this.section("Actuators",t))}buildPlots(){this.plotBody=it("div",{class:"plot-body"}),this.plotCard=it("aside",{class:"card plots"},it("h2",{class:"spread"},"Plots",it("kbd",{},"P")),this.plotBody),this.isReport||this.root.append(this.plotCard)}buildBar(){let t=(e,n,s,r)=>{let o=it("button",{id:e,type:"button",title:s,"aria-label":s},n);return o.addEventListener("click",r),o};this.playButton=t("play",Sn(hs.play),"play (space)",()=>this.playOrPause()),this.scrub=it("input",{id:"scrub",type:"range",min:"0",max:"1",step:"any",value:"0","aria-label":"time"}),this.clock=it("output",{id:"clock"},"0.000 s"),this.rate=it("span",{class:"rate"}),this.speed=it("select",{id:"speed",title:"speed"});for(let e of Ch)this.speed.append(it("option",{value:e},`${e} \xD7`));this.speed.value="1",this.speed.addEventListener("change",()=>this.source.send(`speed ${this.speed.value}`)),this.scrub.addEventListener("input",()=>{this.isScrubbing=!0,this.source.send(`seek ${this.scrub.value}`)}),this.scrub.addEventListener("change",()=>this.isScrubbing=!1),this.bar=it("footer",{class:"card bar"},t("restart",Sn(hs.start),"to the start (Home)",()=>this.source.send("seek 0")),t("back",Sn(hs.back,!1),"one step back (\u2190)",()=>this.source.send("back 1")),this.playButton,t("forward",Sn(hs.forward,!1),"one step on (\u2192)",()=>this.source.send("step 1")),this.scrub,this.clock,this.speed,this.rate,t("help-button","?","help (?)",()=>this.help.hidden=!this.help.hidden)),this.model.live&&this.bar.insertBefore(t("again",Sn(hs.again,!1),"start the simulation again",()=>this.source.send("restart")),this.bar.firstChild),this.menuButton=t("menu",Sn(hs.menu,!1),"panel",()=>this.openSheet("left")),this.chartButton=t("charts",Sn(hs.chart,!1),"plots",()=>this.openSheet("plots")),this.bar.prepend(this.menuButton),this.bar.append(this.chartButton),this.root.append(this.bar)}openSheet(t){let e=this.root.classList.contains(`sheet-${t}`);this.root.classList.remove("sheet-left","sheet-plots"),e||this.root.classList.add(`sheet-${t}`),this.centre(),this.plots.resize()}buildHelp(){let t=Pw.map(([s,r])=>it("tr",{},it("th",{},s),it("td",{},r))),e=it("button",{type:"button"},"Close"),n=it("div",{class:"help",hidden:!0,role:"dialog","aria-label":"help"},it("div",{class:"card"},it("h2",{},"Keys and pointer"),it("table",{},...t),e));return e.addEventListener("click",()=>n.hidden=!0),n}chooseView(){let t=this.model.joints.names.length;this.toggles.joints&&t>0&&t<=400&&this.toggle("joints",!0),this.toggles.contacts&&this.toggle("contacts",!0),this.remark&&(this.tell(this.remark,!0),this.noteLines.length>0&&setTimeout(()=>this.note.textContent===this.remark&&this.tell(""),8e3))}leftOut(){let t=this.model.meshes.filter(s=>!s.drawn);if(t.length===0)return"";let e=t.slice(0,5).map(s=>`${s.body} (${s.triangles.toLocaleString("en")} triangles)`),n=t.length>5?` and ${t.length-5} more`:"";return`Too large to draw: ${t.length===1?"the mesh":"meshes"} of ${e.join(", ")}${n}`}centre(){let t=this.root.clientWidth>900,e=!t||this.side.hidden?0:this.left.offsetWidth,n=!t||this.isReport||this.plotCard.hidden?0:this.plotCard.offsetWidth,s=this.bar.offsetHeight+28,o=[this.root.classList.contains("sheet-left")?this.left:this.root.classList.contains("sheet-plots")?this.plotCard:null,this.table.element].reduce((h,d)=>Math.max(h,d&&!d.hidden?d.offsetHeight:0),0),a=s+o,l=[e,n,a,this.root.clientWidth];if(this.covered&&l.every((h,d)=>h===this.covered[d]))return;this.covered=l,this.root.style.setProperty("--left",`${e>0?e+28:14}px`),this.root.style.setProperty("--right",`${n>0?n+28:14}px`),this.root.style.setProperty("--below",`${a}px`);let c=this.world.quality.isSoftware&&t;this.root.classList.toggle("docked",c),this.stage.style.inset=c?`14px ${n+(n>0?28:14)}px ${a}px ${e+(e>0?28:14)}px`:"",this.world.setCovered(...c?[0,0,0]:[e,n,a]),this.plots.resize()}toggle(t,e){this.toggles[t]&&(this.toggles[t].checked=e,this.world.visible[t]=e,this.world.refresh(),this.hud.showNames(this.world.visible.names===!0),this.world.frame&&this.hud.showKey())}tell(t,e=!1){this.note.textContent=t,this.note.hidden=!t,this.note.classList.toggle("quiet",e)}bind(){this.source.onFrame=e=>this.onFrame(e),this.source.onState=e=>this.onState(e),this.source.onClose=()=>this.tell("The server has gone. Start 'trammel view' again."),this.isReport||document.addEventListener("keydown",e=>this.onKey(e)),this.bindPointer(),this.bindDrop();let t=()=>{let e=this.state.playing||this.drag!==void 0&&this.drag!==null;this.world.draw(e)&&this.onDrawn(),requestAnimationFrame(t)};requestAnimationFrame(t),new ResizeObserver(()=>this.centre()).observe(this.root)}onDrawn(){this.drawn++,this.hud.turnTriad(),this.hud.showNames(this.world.visible.names===!0)}async start(){return await this.source.start(),this.plots.update(),this}onFrame(t){this.frames++,this.world.setFrame(t),this.drag&&this.push(),this.writeSoon()}writeSoon(){if(this.writing)return;let{isSoftware:t,fps:e}=this.world.quality,n=this.state.playing?t?Math.min(Math.max(4e3/(e||20),180),700):40:0,s=Math.max(0,n-(performance.now()-(this.wroteAt||0)));if(s===0){this.write();return}this.writing=setTimeout(()=>{this.writing=0,this.write()},s)}write(){let t=this.world.frame;this.wroteAt=performance.now(),this.plots.setTime(t.time),this.clock.textContent=`${t.time.toFixed(3)} s`,this.isScrubbing||(this.scrub.min=this.state.first,this.scrub.max=Math.max(this.state.head,this.state.first+1e-9),this.scrub.value=t.time),this.cards.update(),this.table.update(),this.followSliders(t),this.hud.showKey()}followSliders(t){!this.sliders||!this.model.detail||this.sliders.forEach(({slider:e,value:n,coordinate:s},r)=>{if(s<0||this.driven.has(r))return;let o=t.values[this.layout.coordinates+s];e.value=o,document.activeElement!==n&&(n.value=Math.abs(o)<1e-9?0:+o.toPrecision(3))})}onState(t){this.state=t,this.isShownPlaying!==t.playing&&(this.isShownPlaying=t.playing,this.playButton.replaceChildren(Sn(t.playing?hs.pause:hs.play))),this.playButton.title=t.playing?"pause (space)":"play (space)",this.root.classList.toggle("playing",t.playing),this.world.frame&&this.writeSoon(),this.shownSpeed!==t.speed&&(this.speed.value=String(this.shownSpeed=t.speed)),t.message!==void 0&&t.message!==this.lastMessage&&(this.lastMessage=t.message,this.tell(t.message||this.remark,!t.failed));let e=[];t.live&&t.playing&&t.rate>0&&t.rate<.95*t.speed&&e.push(`${$e(t.rate,2)} \xD7 real time`),t.stride>1&&e.push(`every ${t.stride}th step kept`);let n=e.join(", "),s=performance.now();n!==this.rateWords&&(s-(this.ratedAt||0)>500||!t.playing)&&(this.ratedAt=s,this.rate.textContent=this.rateWords=n),this.showMethod(t),s-this.lastSeries>(this.world.quality.isSoftware&&t.playing?2500:300)&&(t.live||this.lastSeries===0)&&(this.lastSeries=s,this.plots.update())}showMethod(t){if(!this.formulation||!t.formulation)return;let e=document.activeElement;if(e===this.formulation||e===this.integrator||e===this.step)return;this.formulation.value!==t.formulation&&(this.formulation.value=t.formulation,this.fillIntegrators(t.integrator)),this.integrator.value!==t.integrator&&(this.integrator.value=t.integrator),+this.step.value!==t.step&&(this.step.value=t.step);let n=t.ghost||"none";document.activeElement!==this.ghost&&this.ghost.value!==n&&(this.ghost.value=n)}playOrPause(){this.source.send(this.state.playing?"pause":"play")}changeSpeed(t){let e=Ch.indexOf(this.state.speed),n=Ch[Math.min(Math.max((e<0?4:e)+t,0),Ch.length-1)];this.source.send(`speed ${n}`)}onKey(t){let{target:e}=t;if(t.metaKey||t.altKey||t.ctrlKey&&t.key!=="Control"||e instanceof HTMLInputElement&&!["range","checkbox"].includes(e.type)||e instanceof HTMLSelectElement||(e instanceof HTMLButtonElement||e.tagName==="SUMMARY"||e.type==="checkbox")&&(t.key===" "||t.key==="Enter")&&e.matches(":focus-visible")||e.type==="range"&&/^(Arrow|Home|End|Page)/.test(t.key))return;let s=t.shiftKey?10:1,o={" ":()=>this.playOrPause(),ArrowRight:()=>this.source.send(`step ${s}`),ArrowLeft:()=>this.source.send(`back ${s}`),Home:()=>this.source.send("seek 0"),End:()=>this.source.send(`seek ${this.state.head}`),"[":()=>this.changeSpeed(-1),"]":()=>this.changeSpeed(1),f:()=>this.world.fit(),j:()=>this.flip("joints"),a:()=>this.flip("forces"),t:()=>this.flip("moments"),k:()=>this.flip("contacts"),m:()=>this.flip("glyphs"),s:()=>this.flip("springs"),x:()=>this.flip("limits"),n:()=>this.flip("names"),c:()=>this.followPicked(),l:()=>this.flipTable(),d:()=>this.flipTheme(),0:()=>this.world.rig.look("iso"),1:()=>this.world.rig.look("front"),3:()=>this.world.rig.look("side"),7:()=>this.world.rig.look("top"),5:()=>this.flipFlat(),"/":()=>{this.treeSection.open=!0,this.tree.search.focus()},p:()=>{this.plotCard.hidden=!this.plotCard.hidden,this.centre(),this.plots.update()},"?":()=>this.help.hidden=!this.help.hidden,Escape:()=>{this.help.hidden?this.letGo():this.help.hidden=!0}}[t.key.length===1?t.key.toLowerCase():t.key];o&&(t.preventDefault(),o())}flip(t){this.toggles[t]&&this.toggle(t,!this.toggles[t].checked)}bindPointer(){let t=this.world.renderer.domElement,e=null,n=0;t.addEventListener("pointerdown",s=>{e=[s.clientX,s.clientY],clearTimeout(n),this.model.live&&(s.button===0&&s.ctrlKey&&this.beginPush(s),s.pointerType==="touch"&&s.isPrimary?n=setTimeout(()=>e&&this.beginPush({clientX:e[0],clientY:e[1],shiftKey:!1,stopPropagation(){}}),450):clearTimeout(n))},!0),t.addEventListener("pointermove",s=>{e&&Math.hypot(s.clientX-e[0],s.clientY-e[1])>6&&clearTimeout(n),this.drag?(this.drag.x=s.clientX,this.drag.y=s.clientY,this.drag.isTwist=s.shiftKey,this.push()):!e&&s.pointerType!=="touch"&&(this.hover=[s.clientX,s.clientY],this.isHovering||this.startHover())}),t.addEventListener("pointerleave",()=>{this.hover=null,this.hud.hideTip()}),t.addEventListener("dblclick",s=>{let r=this.world.pick(s.clientX,s.clientY);r&&this.world.rig.follow(r.body)}),window.addEventListener("pointerup",s=>{clearTimeout(n),this.drag?this.endPush():e&&s.target===t&&Math.hypot(s.clientX-e[0],s.clientY-e[1])<4&&this.pickAt(s.clientX,s.clientY),e=null})}pickAt(t,e){let n=this.world.pickJoint(t,e,8);if(n>=0){this.selectJoint(n);return}let s=this.world.pick(t,e);s?this.selectBody(s.body):this.letGo()}startHover(){this.isHovering=!0,setTimeout(()=>{this.isHovering=!1,this.hover&&!this.drag&&this.hud.point(...this.hover)},100)}beginPush(t){let e=this.world.pick(t.clientX,t.clientY);if(!e||this.model.bodies.fixed[e.body])return;t.stopPropagation(),this.world.controls.enabled=!1,this.selectBody(e.body);let n=this.world.poseOf(e.body),s=e.point.map((o,a)=>o-n.p[a]),r=[n.q[0],-n.q[1],-n.q[2],-n.q[3]];this.drag={body:e.body,local:Xe(r,s),x:t.clientX,y:t.clientY,isTwist:t.shiftKey},this.state.playing||this.source.send("play")}push(){let t=this.drag,e=this.world.poseOf(t.body),n=Xe(e.q,t.local),s=[e.p[0]+n[0],e.p[1]+n[1],e.p[2]+n[2]],r=this.world.pointAt(t.x,t.y,s),o=9.81*this.model.movingMass,a=r.map((h,d)=>h-s[d]),l=a.map(h=>5*o*h/this.world.size);this.world.showPush(s,a);let c=t.isTwist?[0,0,0,...this.twist(n,l)]:[...l,0,0,0];this.source.send(`push ${t.body} ${t.local.map(h=>h.toFixed(6)).join(" ")} ${c.map(h=>h.toPrecision(6)).join(" ")}`)}twist(t,e){let n=Math.max(Math.hypot(...t),.2*this.world.extent[this.drag.body],1e-6),s=this.world.camera.matrixWorld.elements,r=[-s[8],-s[9],-s[10]];return[n*(r[1]*e[2]-r[2]*e[1]),n*(r[2]*e[0]-r[0]*e[2]),n*(r[0]*e[1]-r[1]*e[0])]}endPush(){this.drag=null,this.world.controls.enabled=!0,this.world.showPush(null),this.source.send("release")}bindDrop(){this.overlayList=it("div",{class:"overlays"}),this.overlaySection=this.section("Recordings over the picture",this.overlayList),this.overlaySection.hidden=!0,this.side.append(this.overlaySection),this.root.addEventListener("dragover",t=>{t.preventDefault(),this.root.classList.add("dropping")}),this.root.addEventListener("dragleave",()=>this.root.classList.remove("dropping")),this.root.addEventListener("drop",t=>{t.preventDefault(),this.root.classList.remove("dropping");for(let e of t.dataTransfer.files)this.addRecording(e)})}async addRecording(t){try{if(!/\.csv$/i.test(t.name))throw new Error("only recordings as CSV can be laid over the picture; open others with 'trammel view FILE'");let e=new sh(t.name,Im(Pm(await t.text()),this.model.bodies.names)),n=this.world.addOverlay(e),s=it("button",{class:"small",type:"button","aria-label":`remove ${t.name}`},"\xD7"),r=it("div",{class:"spread"},it("span",{style:`color:#${n.toString(16).padStart(6,"0")}`},t.name),s);s.addEventListener("click",()=>{this.world.removeOverlay(e),r.remove(),this.overlaySection.hidden=this.overlayList.children.length===0}),this.overlayList.append(r),this.overlaySection.hidden=!1}catch(e){this.tell(`${t.name}: ${e.message}`)}}selectBody(t){this.world.selectJoint(-1),this.world.select(t);let e=this.model.joints.follower.indexOf(t);e>=0&&t>=0&&this.plots.showJoint(e),this.afterPick()}selectJoint(t){this.world.select(-1),this.world.selectJoint(t),this.plots.showJoint(t),this.afterPick()}letGo(){this.world.select(-1),this.world.selectJoint(-1),this.afterPick()}afterPick(){this.cards.open(),this.tree.mark(),this.table.last=0,this.table.update()}followPicked(){let{rig:t,selected:e,selectedJoint:n}=this.world,s=e>=0?e:n>=0?this.model.joints.follower[n]:-1;t.mode==="follow"?t.follow(-1):s>=0?t.follow(s):this.tell("click a body first: the camera can then follow it",!0)}cycleLook(t){let{world:e}=this;e.setLook(t,{[qn]:pi,[pi]:ho,[ho]:qn}[e.looks[t]]),this.tree.mark()}showOnly(t){let{looks:e}=this.world,n=e.every((s,r)=>r===t?s===qn:s===pi);for(let s=0;s<e.length;s++)e[s]=n||s===t?qn:pi;this.world.setLook(t,qn),!n&&e.length>1&&this.world.setLook(t===0?1:0,pi),this.tree.mark()}flipFlat(){let t=!this.world.rig.isFlat;this.world.rig.setFlat(t),this.hud.flatButton.classList.toggle("on",t)}flipTable(){this.table.element.hidden=!this.table.element.hidden||this.model.joints.names.length===0||!this.model.detail,this.table.last=0,this.table.update(),this.centre()}chosenTheme(){let t=null;try{t=localStorage.getItem("trammel-theme")}catch{}return this.isReport&&(t=null),t||(matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light")}flipTheme(){let t=this.theme==="dark"?"light":"dark";try{localStorage.setItem("trammel-theme",t)}catch{}this.setTheme(t)}setTheme(t){this.theme=t;let e=t==="dark";this.root.classList.toggle("dark",e),n0(e),this.world.setTheme(e?Tm:Kc),this.plots.repaint()}savePicture(){return Ef(this.world,`${this.model.name} ${this.world.frame.time.toFixed(3)}s`)}async film(){if(this.filming){let{stop:t}=this.filming;this.filming=null,this.hud.filmButton.classList.remove("on"),this.filmed=await t();return}this.filming=Tf(this.world,this.model.name),this.filming?this.hud.filmButton.classList.add("on"):this.tell("this browser cannot record videos")}};function Iw(i){let t=[...i.tHead.rows[0].cells];t.forEach((e,n)=>{e.tabIndex=0;let s=()=>{let r=i.tBodies[0].querySelector(`tr td:nth-child(${n+1})[data-v]`)!==null,o=r?"descending":"ascending",a=e.getAttribute("aria-sort")===o?r?"ascending":"descending":o;for(let d of t)d.removeAttribute("aria-sort");e.setAttribute("aria-sort",a);let l=a==="ascending"?1:-1,c=d=>{let u=d.cells[n];return r?u.dataset.v===void 0||u.dataset.v===""?-1/0:Math.abs(+u.dataset.v):u.textContent},h=[...i.tBodies[0].rows].map((d,u)=>({row:d,i:u,key:c(d)}));h.sort((d,u)=>d.key<u.key?-l:d.key>u.key?l:d.i-u.i),i.tBodies[0].append(...h.map(d=>d.row))};e.addEventListener("click",s),e.addEventListener("keydown",r=>r.key==="Enter"&&s())})}function Lw(i,t){let e=JSON.parse(i.dataset.plot),[n,...s]=e.values,r=i.querySelector("svg"),o=it("div",{class:"rule",hidden:!0}),a=it("div",{class:"read",hidden:!0});i.append(o,a);let l=c=>{let h=r.getBoundingClientRect(),d=(c.clientX-h.left)/h.width,u=n[0]+(d-e.from)/(e.to-e.from)*(n.at(-1)-n[0]),f=0;return n.forEach((g,x)=>Math.abs(g-u)<Math.abs(n[f]-u)&&(f=x)),{i:f,box:h,inside:d>=e.from-.01&&d<=e.to+.01}};i.addEventListener("pointermove",c=>{let{i:h,box:d,inside:u}=l(c);if(o.hidden=a.hidden=!u,!u)return;let f=i.getBoundingClientRect(),g=n.at(-1)-n[0]||1,x=d.left-f.left+d.width*(e.from+(n[h]-n[0])/g*(e.to-e.from));o.style.left=`${x}px`;let m=s.map((T,b)=>it("div",{},`${e.names[b]}: ${$e(T[h],5)} ${e.units[b]}`));a.replaceChildren(it("b",{},`${$e(n[h],6)} s`),...m);let p=x>.6*f.width;a.style.left=p?"":`${x+10}px`,a.style.right=p?`${f.width-x+10}px`:""}),i.addEventListener("pointerleave",()=>o.hidden=a.hidden=!0),i.addEventListener("click",c=>{let{i:h,inside:d}=l(c);d&&t(n[h])})}function d0(i){for(let t of document.querySelectorAll("table.sortable"))Iw(t);for(let t of document.querySelectorAll(".plot[data-plot]"))Lw(t,e=>i.source.send(`seek ${e}`))}function f0(i){let[t,e]=new Uint32Array(i,0,2);return{vertices:new Float32Array(i,8,3*t),triangles:new Uint32Array(i,8+12*t,3*e)}}var Ih=class{constructor(t){this.token=t,this.isLocal=!1,this.pending=new Map,this.nextRequest=1,this.onFrame=()=>{},this.onState=()=>{},this.onClose=()=>{}}async open(){let t=await fetch(`/model.json?t=${this.token}`);if(!t.ok)throw new Error(`the server answered ${t.status}`);this.model=await t.json(),this.meshes=[];for(let[e,n]of this.model.meshes.entries())this.meshes.push(n.drawn?await this.fetchMesh(e):null)}async fetchMesh(t){let e=await fetch(`/mesh/${t}?t=${this.token}`);if(!e.ok)throw new Error(`the server answered ${e.status} for mesh ${t}`);return f0(await e.arrayBuffer())}start(){return this.socket=new WebSocket(`ws://${location.host}/ws?t=${this.token}`,"trammel"),this.socket.binaryType="arraybuffer",this.socket.onmessage=t=>this.receive(t.data),this.socket.onclose=()=>this.onClose(),new Promise((t,e)=>{this.socket.onopen=t,this.socket.onerror=()=>e(new Error("the server refused the connection"))})}receive(t){if(typeof t=="string"){this.onState(JSON.parse(t));return}let e=new DataView(t);if(e.getUint32(0,!0)===1179405652){let a=Cm(t);this.onFrame(a),this.send(`ack ${a.seq}`);return}let n=this.pending.get(e.getUint32(4,!0));this.pending.delete(e.getUint32(4,!0));let s=e.getUint32(8,!0),r=e.getUint32(12,!0),o=[];for(let a=0;a<=r;a++)o.push(new Float32Array(t,16+4*s*a,s));n&&n(o)}send(t){this.socket&&this.socket.readyState===WebSocket.OPEN&&this.socket.send(t)}series(t){if(!(this.socket&&this.socket.readyState===WebSocket.OPEN)||this.pending.size>4)return Promise.resolve(null);let n=this.nextRequest++;return new Promise(s=>{this.pending.set(n,s),this.send(`series ${n} ${t.join(" ")}`)})}};function Oa(i){let t=atob(i),e=new Uint8Array(t.length);for(let n=0;n<t.length;n++)e[n]=t.charCodeAt(n);return e.buffer}var Lh=class{constructor(t){this.isLocal=!0,this.model=t.model,this.meshes=t.meshes.map(e=>e?f0(Oa(e)):null),this.times=new Float64Array(Oa(t.times)),this.values=new Float32Array(Oa(t.frames)),this.width=t.width,this.runs={values:this.values,width:t.width,count:this.times.length},this.contactFirst=t.contactFirst?new Uint32Array(Oa(t.contactFirst)):null,this.contactValues=t.contacts?new Float32Array(Oa(t.contacts)):new Float32Array(0),this.cursor=this.times[0],this.isPlaying=!1,this.speed=1,this.onFrame=()=>{},this.onState=()=>{},this.onClose=()=>{}}async open(){}async start(){this.last=performance.now(),this.show();let t=e=>{let n=this.times[this.times.length-1];this.isPlaying&&(this.cursor+=this.speed*(e-this.last)/1e3,this.cursor>=n&&(this.cursor=n,this.isPlaying=!1),this.show()),this.last=e,requestAnimationFrame(t)};requestAnimationFrame(t)}indexAt(t){let e=0,n=this.times.length-1;for(;e<n;){let s=e+n+1>>1;this.times[s]<=t+1e-12?e=s:n=s-1}return e}show(){let t=this.indexAt(this.cursor),e=this.contactFirst?this.contactFirst[t]:0,n=this.contactFirst?this.contactFirst[t+1]:0;this.onFrame({seq:0,index:t,count:this.times.length,time:this.times[t],hasGhost:!1,values:this.values.subarray(t*this.width,(t+1)*this.width),contacts:this.contactValues.subarray(8*e,8*n)}),this.onState({type:"state",playing:this.isPlaying,speed:this.speed,time:this.times[t],first:this.times[0],head:this.times[this.times.length-1],frames:this.times.length,stride:1,live:!1,failed:!1,message:""})}send(t){let[e,n]=t.split(" "),s=this.indexAt(this.cursor),r=this.times.length-1;e==="play"&&(s===r&&(this.cursor=this.times[0]),this.isPlaying=!0),e==="pause"&&(this.isPlaying=!1),e==="seek"&&(this.cursor=Math.min(Math.max(+n,this.times[0]),this.times[r])),e==="step"&&(this.cursor=this.times[Math.min(s+ +(n||1),r)]),e==="back"&&(this.cursor=this.times[Math.max(s-+(n||1),0)]),e==="restart"&&(this.cursor=this.times[0]),e==="speed"&&(this.speed=+n),(e==="step"||e==="back"||e==="seek")&&(this.isPlaying=!1),this.show()}async series(t){let n=Math.max(1,Math.ceil(this.times.length/1500)),s=Math.ceil(this.times.length/n),r=[this.times,...t].map(()=>new Float32Array(s));for(let o=0;o<s;o++){let a=o*n;r[0][o]=this.times[a],t.forEach((l,c)=>{let h=a*this.width;r[c+1][o]=l>=0?this.values[h+l]:this.values[h]+this.values[h+1]})}return r}};async function Uw(){let i=document.getElementById("trammel"),t=document.getElementById("trammel-data"),e=new URLSearchParams(location.search).get("t")||"";try{let n=t?new Lh(JSON.parse(t.textContent)):new Ih(e);await n.open(),window.trammel=await new Ph(i,n,{isReport:t!==null}).start(),t&&d0(window.trammel)}catch(n){i.textContent=`This page could not be opened: ${n.message}`}}Uw();})();
